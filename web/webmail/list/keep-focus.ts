// Whoever files a row by its own button, or what is selected by one of the bar, takes away what they pressed. The focus goes on to
// the row that keys act on, so that nobody has to come back from the top of the page.
import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'

/** `pane`: what holds the bar and the rows. `main` has the focus where there is no row. */
export function useKeptFocus(pane: RefObject<HTMLElement | null>, cursor: () => string | undefined): void {
  useEffect(() => {
    const within = pane.current as HTMLElement
    let last: Element | undefined
    const onFocus = ({ target }: FocusEvent) => {
      last = within.contains(target as Node) ? (target as Element) : undefined
    }
    const observer = new MutationObserver(() => {
      if (!last || last.isConnected || document.activeElement !== document.body) return
      const wasInRow = last.closest('li[data-key]') !== null
      last = undefined
      landing(within, cursor(), wasInRow)?.focus({ preventScroll: true })
    })
    document.addEventListener('focusin', onFocus)
    observer.observe(within, { childList: true, subtree: true })
    return () => {
      document.removeEventListener('focusin', onFocus)
      observer.disconnect()
    }
  }, [])
}

function landing(pane: HTMLElement, cursor: string | undefined, wasInRow: boolean): HTMLElement | null {
  const links = [...pane.querySelectorAll<HTMLElement>('li[data-key] > a')]
  if (links.length === 0) return document.getElementById('main')
  const here = links.find(({ parentElement }) => parentElement?.dataset.key === cursor)
  // A row that was scrolled out of sight is not there either: the list stays where one looks.
  return here ?? (wasInRow ? null : (links.find(({ tabIndex }) => tabIndex === 0) ?? null))
}
