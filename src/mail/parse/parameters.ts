// Reads the parameters of a field that continue one another or name their charset (RFC 2231). Pure.
import { decodeText } from './charset.ts'

export type Parameters = Record<string, string>

interface Section {
  number: number
  value: string
  /** Percent-encoded. */
  encoded: boolean
}

/** `name*`, `name*1`, `name*1*`. */
const SECTION = /^([^*]+)\*(?:(\d{1,9})(\*)?)?$/

/** @param raw as they are written, without quotes; what takes no part in RFC 2231 stays */
export function joinSections(raw: Parameters): Parameters {
  const joined = new Map<string, string>()
  const sections = new Map<string, Section[]>()
  for (const [key, value] of Object.entries(raw)) {
    const [, name, number, star] = SECTION.exec(key) ?? []
    if (name === undefined) {
      joined.set(key, value)
      continue
    }
    const section = { number: Number(number ?? 0), value, encoded: number === undefined || star !== undefined }
    const others = sections.get(name)
    if (others) others.push(section)
    else sections.set(name, [section])
  }
  for (const [name, all] of sections) joined.set(name, textOf(all.sort((a, b) => a.number - b.number)))
  return Object.fromEntries(joined)
}

/** A character may be divided between two sections: neighbours that are encoded are read together. */
function textOf(sections: readonly Section[]): string {
  const [, charset, rest] = /^([^']*)'[^']*'(.*)$/s.exec(sections[0]?.encoded ? sections[0].value : '') ?? []
  const texts: string[] = []
  let escaped: string[] = []
  const flush = () => {
    if (escaped.length > 0) texts.push(decodeText(octetsOf(escaped.join('')), charset))
    escaped = []
  }
  for (const [i, { value, encoded }] of sections.entries()) {
    if (encoded) escaped.push(i === 0 ? (rest ?? value) : value)
    else {
      flush()
      texts.push(value)
    }
  }
  flush()
  return texts.join('')
}

function octetsOf(escaped: string): Buffer {
  const octets = Buffer.from(escaped)
    .toString('latin1')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(octets, 'latin1')
}
