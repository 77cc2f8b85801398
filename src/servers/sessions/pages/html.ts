// HTML of pages, in which whatever is put in is text unless it was made here.
import { escapeUTF8 } from 'entities/escape'

export class Html {
  readonly text: string

  /** `text` is HTML already: nothing that somebody else wrote. */
  constructor(text: string) {
    this.text = text
  }
}

type Part = string | number | Html | readonly Part[] | false | null | undefined

/** html`<p>${name}</p>`: what is false, null or undefined is nothing. Attributes stand in double quotes. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.reduce((text, next, i) => `${text}${textOf(parts[i - 1])}${next}`))
}

function textOf(part: Part): string {
  if (part instanceof Html) return part.text
  if (Array.isArray(part)) return part.map(textOf).join('')
  return part === false || part === null || part === undefined ? '' : escapeUTF8(String(part))
}
