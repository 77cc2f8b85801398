// Signs a message that we built (RFC 6376, rsa-sha256, relaxed/simple): reads it once, in pieces, and gives the field
// that goes in front of it. The same message and key always give the same field, for it names no time. Knows nothing
// of where keys are kept.
import { createHash, type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'

export interface DkimIdentity {
  /** The domain of the From address, in ASCII. */
  domain: string
  selector: string
}

export interface DkimSigner extends DkimIdentity {
  /** RSA. */
  privateKey: KeyObject
}

const CR = 0x0d
const LF = 0x0a
const CRLF = Buffer.from('\r\n')
const HEADER_END = Buffer.from('\r\n\r\n')
const LINE_LENGTH = 72

/**
 * The DKIM-Signature field with its line end. All fields of the header are signed, and that there is no second From.
 * @param message CRLF line ends throughout, as build-mime.ts writes them
 */
export async function dkimSignature(
  message: AsyncIterable<Buffer> | Iterable<Buffer>,
  signer: DkimSigner,
): Promise<Buffer> {
  const { header, bodyHash } = await readMessage(message)
  const fields = fieldsOf(header)
  const unsigned = unsignedField(fields, signer, bodyHash)
  const signed = [...fields, unsigned].map(relaxed).join('\r\n')
  const signature = await promisify(sign)('sha256', Buffer.from(signed, 'latin1'), signer.privateKey)
  return signedField(unsigned, signature)
}

/**
 * How many octets `dkimSignature` makes for a message with this header.
 * @param header each octet a character, without its last line end
 * @param keyBits the modulus of the signer's key, whose signatures are as long
 */
export function dkimSignatureSize(header: string, identity: DkimIdentity, keyBits: number): number {
  const unsigned = unsignedField(fieldsOf(header), identity, createHash('sha256').digest('base64'))
  return signedField(unsigned, Buffer.alloc(Math.ceil(keyBits / 8))).length
}

/** RFC 6376 3.4.2: a field that stands several times is signed from the last to the first. */
function fieldsOf(header: string): string[] {
  return header.split(/\r\n(?![ \t])/).reverse()
}

function unsignedField(fields: readonly string[], { domain, selector }: DkimIdentity, bodyHash: string): string {
  const names = [...fields.map((field) => field.slice(0, field.indexOf(':')).trim().toLowerCase()), 'from']
  return [
    'DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/simple;',
    ` d=${domain}; s=${selector};`,
    ...foldNames(names),
    ` bh=${bodyHash};`,
    ' b=',
  ].join('\r\n')
}

function signedField(unsigned: string, signature: Buffer): Buffer {
  const lines = signature.toString('base64').match(new RegExp(`.{1,${LINE_LENGTH}}`, 'g')) ?? []
  return Buffer.from(`${unsigned}${lines.join('\r\n ')}\r\n`, 'latin1')
}

/** The header, each octet a character, and the digest of the body in simple canonical form (RFC 6376 3.4.3). */
async function readMessage(
  message: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<{ header: string; bodyHash: string }> {
  const body = createBodyHash()
  let header: string | undefined
  let read = Buffer.alloc(0)
  for await (const chunk of message) {
    if (header !== undefined) {
      body.update(chunk)
      continue
    }
    read = Buffer.concat([read, chunk])
    const end = read.indexOf(HEADER_END)
    if (end < 0) continue
    header = read.toString('latin1', 0, end)
    body.update(read.subarray(end + HEADER_END.length))
  }
  if (header === undefined) throw new TypeError('a message has a header that ends')
  return { header, bodyHash: body.digest() }
}

/** Line ends at the end of the body count as one, and so does none: they wait until something follows them. */
function createBodyHash(): { update(piece: Buffer): void; digest(): string } {
  const hash = createHash('sha256')
  /** CR, LF, CR, LF …: what has been read and not hashed. */
  let waiting = Buffer.alloc(0)
  return {
    update(piece) {
      let end = piece.length
      while (end > 0 && (piece[end - 1] === CR || piece[end - 1] === LF)) end--
      if (end > 0) {
        hash.update(waiting).update(piece.subarray(0, end))
        waiting = Buffer.alloc(0)
      }
      if (end < piece.length) waiting = Buffer.concat([waiting, piece.subarray(end)])
    },
    digest: () => hash.update(CRLF).digest('base64'),
  }
}

function foldNames(names: readonly string[]): string[] {
  const lines: string[] = []
  let line = ' h='
  for (const [i, name] of names.entries()) {
    const piece = i === 0 ? name : `:${name}`
    if (line.length + piece.length > LINE_LENGTH) {
      lines.push(line)
      line = ' '
    }
    line += piece
  }
  return [...lines, `${line};`]
}

/** RFC 6376 3.4.2. */
function relaxed(field: string): string {
  const colon = field.indexOf(':')
  const value = field
    .slice(colon + 1)
    .replaceAll('\r\n', '')
    .replace(/[ \t]+/g, ' ')
    .replace(/^ | $/g, '')
  return `${field.slice(0, colon).trim().toLowerCase()}:${value}`
}
