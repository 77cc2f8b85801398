// All keys, and what they do.
import { Dialog } from '../ui/dialog.tsx'
import { SHORTCUTS } from './keys.ts'

export function ShortcutDialog({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl class="facts shortcuts">
        {SHORTCUTS.map(([command, keys, words]) => [
          <dt key={command}>
            {keys.map((key, i) => (
              <span key={key}>
                {i > 0 && ' or '}
                <Keys keys={key} />
              </span>
            ))}
          </dt>,
          <dd key={`${command} words`}>{words}</dd>,
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
