// Keys of the whole page, as in Gmail, for whoever has them on: not while somebody types, a dialog asks, or a modifier is held.
import { useEffect, useRef } from 'preact/hooks'
import { type Command, commandFor, type KeyPress, SECOND_WITHIN_MS } from './keys.ts'

export function useShortcuts(isOn: boolean, act: (command: Command) => void): void {
  const latest = useRef({ isOn, act })
  latest.current = { isOn, act }
  useEffect(() => {
    let former: string | undefined
    let formerAt = 0
    const pressed = (press: KeyPress): boolean => {
      if (!latest.current.isOn || document.querySelector('dialog[open]')) return false
      const found = commandFor(press, performance.now() - formerAt < SECOND_WITHIN_MS ? former : undefined)
      former = found.former
      formerAt = performance.now()
      if (found.command) latest.current.act(found.command)
      return found.command !== undefined
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.isComposing || event.defaultPrevented || isOwnKey(event)) return
      if (pressed(event)) event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

/** Of a field in which it is written, or of what it presses. */
function isOwnKey({ key, target }: KeyboardEvent): boolean {
  const on = target as HTMLElement
  if (on.matches?.('textarea, select, input:not([type="checkbox"])') || on.isContentEditable) return true
  return key === 'Enter' && on.closest?.('a, button, input, summary') !== null
}
