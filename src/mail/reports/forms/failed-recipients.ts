// The header that Exim and those who follow it set, Google and Mail.ru among them: it lists the addresses, whatever the
// text says. Exim's text repeats each on a line of its own, with the reason indented deeper beneath; Google's has one
// and explains it in paragraphs. Pure.
import { isAddress } from '../reported-address.ts'
import { type Form, failure, type TextBounce } from './form.ts'

/** Of the reason for one recipient. */
const MAX_REASON_LINES = 50
/** No message has more recipients. */
const MAX_LISTED = 150

/** Google lists in the same header whom it is still trying to reach. Its words are not indented, as reasons are. */
const DELAYED = /^(?!\s).*\b(?:THIS IS A WARNING MESSAGE ONLY|has been delayed|has not yet been delivered)\b/

export const readFailedRecipients: Form = (message) => {
  const addresses = listedIn(message)
  if (addresses.length === 0) return []
  const lines = message.text.split('\n')
  const end = lines.findIndex((line) => /^-{3,}/.test(line))
  const own = end === -1 ? lines : lines.slice(0, end)
  const action = own.some((line) => DELAYED.test(line)) ? 'delayed' : 'failed'
  // Where each stands: one look at every line, however many are listed.
  const places = placesOf(addresses, own)
  return addresses.map((address) => {
    const beneath = linesBeneath(own, places.get(address))
    const isAlone = addresses.length === 1 && beneath.length === 0
    return failure(address, isAlone ? linesBehind(own, places.get(address)) : beneath, { action })
  })
}

function listedIn({ headers }: TextBounce): string[] {
  const listed = headers.filter(({ name }) => name.toLowerCase() === 'x-failed-recipients')
  const addresses = listed.flatMap(({ value }) => value.split(',')).map((address) => address.trim())
  return [...new Set(addresses)].filter(isAddress).slice(0, MAX_LISTED)
}

/**
 * A line may have the local part alone, where the domain is the host's own, or name the address behind a file or a
 * program that it leads to.
 */
function placesOf(addresses: readonly string[], lines: readonly string[]): Map<string, number> {
  const names = new Map(addresses.map((address) => [address.slice(0, address.lastIndexOf('@')), address]))
  for (const address of addresses) names.set(address, address)
  const places = new Map<string, number>()
  for (const [i, line] of lines.entries()) {
    const address = indentation(line) > 0 ? names.get(line.trim().replace(GENERATED, '$1')) : undefined
    if (address !== undefined && !places.has(address)) places.set(address, i)
  }
  return places
}

const GENERATED = /^\(?generated (?:by|from) (\S+?)\)?$/

function linesBeneath(lines: readonly string[], at: number | undefined): string[] {
  if (at === undefined) return []
  const depth = indentation(lines[at] ?? '')
  const following = linesBehind(lines, at)
  const end = following.findIndex((line) => indentation(line) <= depth)
  return end === -1 ? following : following.slice(0, end)
}

function linesBehind(lines: readonly string[], at: number | undefined): string[] {
  return at === undefined ? [] : lines.slice(at + 1, at + 1 + MAX_REASON_LINES)
}

function indentation(line: string): number {
  return line.length - line.trimStart().length
}
