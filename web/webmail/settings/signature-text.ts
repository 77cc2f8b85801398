// A signature as it is typed, line by line, and as HTML. Pure.

/** Null: there is none. */
export function signatureOf(text: string): string | null {
  const lines = text.trim().split(/\r?\n/)
  if (lines.length === 1 && lines[0] === '') return null
  return lines.map((line) => `<div>${line === '' ? '<br>' : escaped(line)}</div>`).join('')
}

const escaped = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
