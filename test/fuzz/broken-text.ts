// What happens to text on a wire: octets lost, doubled, changed and put in, and lines in another order. Knows nothing of
// what it says. Octets are latin1 text, which can be read where something fails.
import fc from 'fast-check'

/** One of `texts` with up to three changes; `odd`: what is put in. */
export function changed(texts: fc.Arbitrary<string>, odd: string[]): fc.Arbitrary<string> {
  const change = fc.record({ way: fc.constantFrom(...WAYS), at: fc.nat(), odd: fc.constantFrom(...odd) })
  return fc
    .tuple(texts, fc.array(change, { maxLength: 3 }))
    .map(([text, changes]) => changes.reduce((all, { way, at, odd }) => way(all, at % (all.length + 1), odd), text))
}

type Way = (text: string, at: number, odd: string) => string

const cut: Way = (text, at) => text.slice(0, at)
const insert: Way = (text, at, odd) => text.slice(0, at) + odd + text.slice(at)
const overwrite: Way = (text, at, odd) => text.slice(0, at) + odd + text.slice(at + odd.length)
const repeat: Way = (text, at) => text + text.slice(at)
const drop: Way = (text, at) => text.slice(0, at) + text.slice(at + 1)
/** A line of it once more, elsewhere. */
const shuffle: Way = (text, at) => {
  const lines = text.split('\r\n')
  lines.splice(at % lines.length, 0, lines[(at >> 4) % lines.length] as string)
  return lines.join('\r\n')
}
const bareLines: Way = (text) => text.replaceAll('\r\n', '\n')

const WAYS = [cut, insert, insert, overwrite, overwrite, repeat, drop, shuffle, bareLines]
