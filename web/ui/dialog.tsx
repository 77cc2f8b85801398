// A native dialog over the page: it keeps the focus, Escape closes it, and the focus goes back to where it was.
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from './icon.tsx'

interface DialogProps {
  title: string
  /** As wide as the page, for what is looked at. */
  isWide?: boolean
  /** Of keys that do something besides its buttons. */
  onKeyDown?(event: KeyboardEvent): void
  onClose(): void
  children: ComponentChildren
}

export function Dialog({ title, isWide = false, onKeyDown, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  // Before it is painted: keys are the dialog's from its first moment.
  useLayoutEffect(() => {
    const shown = dialog.current
    const before = document.activeElement
    shown?.showModal()
    return () => {
      // While it is open, as when another takes its place, nothing behind it takes the focus. Closing it here would be told
      // as the user's own doing.
      shown?.remove()
      // Taken out of the page it gives the focus to nobody.
      ;(before as HTMLElement | null)?.focus?.()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class={isWide ? 'wide' : undefined}
      aria-labelledby={titleId}
      onClose={onClose}
      onKeyDown={onKeyDown}
    >
      <header class="beside apart">
        <h2 id={titleId} dir="auto">
          {title}
        </h2>
        <button type="button" class="quiet small icon-only" aria-label="Close" onClick={() => dialog.current?.close()}>
          <Icon name="close" />
        </button>
      </header>
      {children}
    </dialog>
  )
}
