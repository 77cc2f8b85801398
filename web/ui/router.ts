// Where the browser is, as a signal, and how to get elsewhere without loading the page again. Links are ordinary ones.
import { signal } from '@preact/signals'

const at = signal(new URL(location.href))
addEventListener('popstate', () => {
  at.value = new URL(location.href)
})

export const path = (): string => at.value.pathname
export const query = (): URLSearchParams => at.value.searchParams

/** Goes to a path of this page's own. */
export function go(to: string, { replace = false } = {}): void {
  const next = new URL(to, location.href)
  history[replace ? 'replaceState' : 'pushState'](null, '', next)
  const moved = next.pathname !== at.value.pathname
  at.value = next
  if (moved) scrollTo(0, 0)
}

/**
 * Follows links to paths that `knows` says are this page's; whatever else is clicked, or clicked to be opened elsewhere, is
 * the browser's.
 */
export function followLinks(knows: (path: string) => boolean): void {
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest?.('a')
    if (!link || event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    if (link.origin !== location.origin || link.target || link.hasAttribute('download') || !knows(link.pathname)) return
    // Within the page that is shown, the browser knows how to get there.
    if (link.hash && link.pathname === location.pathname && link.search === location.search) return
    event.preventDefault()
    go(link.href)
  })
}
