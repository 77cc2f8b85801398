// A button that opens a few others below it. Escape, and whatever is done elsewhere, closes it.
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from './icon.tsx'

interface MenuProps<T extends string> {
  label: string
  items: readonly (readonly [value: T, words: string])[]
  onChoose(value: T): void
}

export function Menu<T extends string>({ label, items, onChoose }: MenuProps<T>) {
  const [isOpen, setOpen] = useState(false)
  const menu = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isOpen) return
    menu.current?.querySelector<HTMLElement>('ul button')?.focus()
    const elsewhere = (event: Event) => {
      if (!menu.current?.contains(event.target as Node)) setOpen(false)
    }
    for (const type of ['pointerdown', 'focusin']) document.addEventListener(type, elsewhere)
    return () => {
      for (const type of ['pointerdown', 'focusin']) document.removeEventListener(type, elsewhere)
    }
  }, [isOpen])

  const close = () => {
    setOpen(false)
    opener.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key !== 'Escape' && step === undefined) return
    event.preventDefault()
    event.stopPropagation()
    if (step === undefined) return close()
    const buttons = [...(menu.current?.querySelectorAll<HTMLElement>('ul button') ?? [])]
    const at = buttons.indexOf(document.activeElement as HTMLElement)
    buttons[(at + step + buttons.length) % buttons.length]?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the buttons within
    <div class="menu" ref={menu} onKeyDown={onKeyDown}>
      <button type="button" ref={opener} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {label}
        <Icon name="down" />
      </button>
      {isOpen && (
        <ul class="plain">
          {items.map(([value, words]) => (
            <li key={value}>
              <button
                type="button"
                class="quiet"
                onClick={() => {
                  close()
                  onChoose(value)
                }}
              >
                <span class="unseen">{label} </span>
                {words}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
