// The buttons above the editor: one of them is reached by Tab, the others from there by the arrow keys.

import { useState } from 'preact/hooks'
import type Squire from 'squire-rte'
import { ToolIcon } from './tool-icon.tsx'
import { TOOLS } from './tools.ts'

interface Props {
  editor: Squire
  /** What is on where the cursor is, by name. */
  on: ReadonlySet<string>
  /** The id of the editor's element. */
  controls: string
  onLink(): void
  /** Undefined: images cannot be put in. */
  onImage: (() => void) | undefined
}

export function Toolbar({ editor, on, controls, onLink, onImage }: Props) {
  const [reached, setReached] = useState(0)
  const buttons = [
    ...TOOLS.map(({ name, keys, toggle }) => ({
      name,
      keys,
      isOn: on.has(name),
      press: () => toggle(editor),
    })),
    { name: 'Link' as const, keys: 'Control+K', isOn: on.has('Link'), press: onLink },
    ...(onImage ? [{ name: 'Insert image' as const, keys: undefined, isOn: undefined, press: onImage }] : []),
    {
      ...{ name: 'Clear formatting' as const, keys: undefined, isOn: undefined },
      press: () => void editor.removeAllFormatting(),
    },
  ]
  const onKeyDown = (event: KeyboardEvent) => {
    const last = buttons.length - 1
    const next = { ArrowRight: reached + 1, ArrowLeft: reached - 1, Home: 0, End: last }[event.key]
    if (next === undefined) return
    event.preventDefault()
    const at = next < 0 ? last : next > last ? 0 : next
    setReached(at)
    ;(event.currentTarget as HTMLElement).querySelectorAll('button')[at]?.focus()
  }
  return (
    <div class="toolbar" role="toolbar" aria-label="Formatting" aria-controls={controls} onKeyDown={onKeyDown}>
      {buttons.map(({ name, keys, isOn, press }, i) => (
        <button
          key={name}
          type="button"
          class="quiet small"
          aria-label={name}
          aria-pressed={isOn}
          aria-keyshortcuts={keys}
          title={keys ? `${name} (${keys.replace('Control', 'Ctrl')})` : name}
          tabIndex={i === reached ? 0 : -1}
          onFocus={() => setReached(i)}
          // What is selected in the editor stays so.
          onMouseDown={(event) => event.preventDefault()}
          onClick={press}
        >
          <ToolIcon name={name} />
        </button>
      ))}
    </div>
  )
}
