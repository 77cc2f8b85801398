// All keys that do something where one is, and what they do there.
import { Dialog } from '../ui/dialog.tsx'
import { type Command, SHORTCUTS } from './keys.ts'

interface Props {
  /** What does something here, where that is not all; in words of its own, where those are others. */
  here?: Partial<Record<Command, string | boolean>>
  onClose(): void
}

export function ShortcutDialog({ here, onClose }: Props) {
  const shown = SHORTCUTS.filter(([command]) => here === undefined || here[command])
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl class="facts shortcuts">
        {shown.map(([command, keys, words]) => [
          <dt key={command}>
            {keys.map((key, i) => (
              <span key={key}>
                {i > 0 && ' or '}
                <Keys keys={key} />
              </span>
            ))}
          </dt>,
          <dd key={`${command} words`}>{typeof here?.[command] === 'string' ? here[command] : words}</dd>,
        ])}
      </dl>
      <p class="soft">
        They can be turned off in the <a href="/settings">settings</a>.
      </p>
    </Dialog>
  )
}

function Keys({ keys }: { keys: string }) {
  const [first, second] = keys.split(/[ +]/)
  if (!second) return <kbd>{first}</kbd>
  return (
    <>
      <kbd>{first}</kbd> {keys.includes('+') ? '+' : 'then'} <kbd>{second}</kbd>
    </>
  )
}
