// Prepares a received message for verification: what of its header the verifier gets to see, and whom From names.
// Pure.
import { addressParser } from 'postal-mime'
import { headerLength, toUtf8Header } from '../mail-parser/message-headers.ts'

/** Honest mail has up to five. Each costs a look-up and a hash over the body. */
export const MAX_SIGNATURES = 5
/** Nobody displays more. Each costs two look-ups. */
const MAX_FROM_DOMAINS = 5

export interface SigningHeader {
  /** The message with the header as the verifier may see it. */
  message: Buffer
  /** The domains of all addresses in From, in lower case. */
  fromDomains: string[]
}

/**
 * Takes out the fields of ARC, which we do not evaluate: the verifier reads them all the same, and its parser lets a
 * parameter named `__proto__.x` change the prototype of every object. Takes out signatures beyond MAX_SIGNATURES.
 */
export function readSigningHeader(raw: Uint8Array): SigningHeader {
  const length = headerLength(raw)
  const fields = splitFields(Buffer.from(raw.subarray(0, length)).toString('latin1'))
  let signatures = 0
  const kept = fields.filter(({ name }) => {
    if (name === 'dkim-signature') signatures += 1
    return !name.startsWith('arc-') && (name !== 'dkim-signature' || signatures <= MAX_SIGNATURES)
  })
  return {
    message: Buffer.concat([Buffer.from(kept.map(({ text }) => text).join(''), 'latin1'), raw.subarray(length)]),
    fromDomains: domainsOf(fields.filter(({ name }) => name === 'from').map(({ text }) => text)),
  }
}

interface Field {
  /** In lower case. */
  name: string
  /** With its folded lines and line breaks, as bytes. */
  text: string
}

/** As the verifier does it: whatever begins with any white space goes on with the field above. */
function splitFields(header: string): Field[] {
  const fields: Field[] = []
  for (const line of header.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const last = fields.at(-1)
    if (last && /^\s/.test(line)) last.text += line
    else fields.push({ name: (line.split(':')[0] ?? '').trim().toLowerCase(), text: line })
  }
  return fields
}

function domainsOf(fields: string[]): string[] {
  const addresses = fields.flatMap((field) => {
    const text = new TextDecoder().decode(toUtf8Header(new Uint8Array(Buffer.from(field, 'latin1'))))
    return addressParser(text.slice(text.indexOf(':') + 1).replace(/[\r\n]+/g, ''), { flatten: true })
  })
  const domains = addresses.map(({ address = '' }) => address.slice(address.lastIndexOf('@') + 1).toLowerCase())
  return [...new Set(domains)].filter((domain) => domain !== '').slice(0, MAX_FROM_DOMAINS)
}
