// The form with which a page of the reference calls the service. It is hidden until its script runs.
import { escapeUTF8 } from 'entities/escape'
import type { Entry, Parameter } from './api-document.ts'

/** Where the form gets a key where the service gives one. */
export const KEY_ADDRESS = '/docs/key'

/** Takes an operation, and whether the service gives a key. */
export function tryForm(entry: Entry, givesKey: boolean): string {
  const { method, path = '', parameters = [], requestBody } = entry
  const body = requestBody?.content['application/json']?.example
  const text = body === undefined ? undefined : JSON.stringify(body, null, 2)
  return `<form id="try" hidden data-method="${method}" data-path="${escapeUTF8(path)}"${givesKey ? ` data-key="${KEY_ADDRESS}"` : ''}>
<h2>Try it</h2>
<p>This calls the service. What a live key sends is real mail.</p>
${input('API key', 'name="key" type="password" autocomplete="off" placeholder="mdk_test_…" required')}
${parameters.map(parameterInput).join('\n')}
${text === undefined ? '' : `<label>Body <textarea name="body" spellcheck="false" rows="${text.split('\n').length + 1}">${escapeUTF8(text)}</textarea></label>`}
<button type="submit">Send</button>
<div id="answer" role="status"></div>
</form>`
}

function parameterInput({ name, in: place, required }: Parameter): string {
  return input(name, `name="${place}:${name}"${required ? ' required' : ''}`)
}

function input(label: string, attributes: string): string {
  return `<label>${label} <input ${attributes} spellcheck="false"></label>`
}
