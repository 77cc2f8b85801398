// Light, dark, or as the device is.
import type { OwnSettingsAnswer } from '../../../src/servers/webmail/content-schemas.ts'
import { attempt } from '../../ui/attempt.ts'
import { changeSettings } from './own-settings.ts'

const THEMES = [
  ['system', 'As the device is'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const

export function Theme({ theme }: Pick<OwnSettingsAnswer, 'theme'>) {
  return (
    <section class="card">
      <fieldset class="field">
        <legend>
          <h2>Theme</h2>
        </legend>
        <div class="stack tight">
          {THEMES.map(([value, words]) => (
            <label key={value} class="choice">
              <input
                type="radio"
                name="theme"
                checked={theme === value}
                onChange={() => attempt(() => changeSettings({ theme: value }))}
              />
              <span>{words}</span>
            </label>
          ))}
        </div>
        <p class="hint">In all browsers in which you sign in.</p>
      </fieldset>
    </section>
  )
}
