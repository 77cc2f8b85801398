// Whether single keys do something: whoever speaks to the computer, or types by mistake, turns them off.
import { attempt } from '../../ui/attempt.ts'
import { changeSettings } from './own-settings.ts'

export function Shortcuts({ isOn }: { isOn: boolean }) {
  return (
    <section class="card stack tight" aria-labelledby="shortcuts-title">
      <h2 id="shortcuts-title">Keyboard</h2>
      <label class="choice">
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ currentTarget }) => attempt(() => changeSettings({ shortcuts: currentTarget.checked }))}
        />
        <span>
          Keyboard shortcuts
          <br />
          <small>
            <kbd>j</kbd> and <kbd>k</kbd> go through a list, <kbd>e</kbd> archives; <kbd>?</kbd> shows them all. Turned
            off, keys do what they do on every page.
          </small>
        </span>
      </label>
    </section>
  )
}
