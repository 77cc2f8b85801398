// The structure of a message and the exact bytes of its parts, taken from the tree that postal-mime builds while it
// reads. That tree is not part of its public interface: this file alone reaches for it, the version is pinned, and
// the tests beside it fail when the tree changes.
//
// Bodies that are not base64 are decoded here instead of by the library. It keeps an object for every line, which
// a large text turns into hundreds of megabytes, and it changes line breaks and adds one at the end, so that the
// digest of an attachment would match nothing that the sender has.
import PostalMime, { decodeWords } from 'postal-mime'
import { MAX_FILENAME_CHARS, MAX_NESTING_DEPTH, MAX_PARTS, MAX_PARTS_HEADER_BYTES } from './parsed-message.ts'

/** A node of postal-mime's tree: what is read of it here. */
export interface MimeNode {
  readonly state: 'header' | 'body' | 'finished'
  readonly childNodes: readonly MimeNode[]
  readonly headers: readonly HeaderField[]
  readonly contentType: { parsed: StructuredHeader; multipart: string | false }
  readonly contentDisposition: { parsed: StructuredHeader }
  readonly contentTransferEncoding: { encoding: string }
  readonly contentId?: string
  /** Decoded, once the parser is done; of a multipart whatever stands outside its parts. */
  readonly content: ArrayBuffer | null
  contentDecoder: ContentDecoder | null
  /** The content as text, by its charset and format. */
  getTextContent(): string
}

/** A field of a header, unfolded. */
export interface HeaderField {
  /** In lower case. */
  key: string
  originalKey: string
  value: string
}

interface StructuredHeader {
  value: string
  params: Record<string, string>
}

/** Takes a body line by line, without line breaks. */
interface ContentDecoder {
  update(line: Uint8Array): void
  finalize(): Promise<ArrayBuffer>
}

interface Internals {
  readonly root: MimeNode
  readonly currentNode: MimeNode
  readPos: number
  processLine(line: Uint8Array, isFinal: boolean): Promise<void>
  finalize(): Promise<void>
  collectNode(): Promise<void>
  renderTextContent(): void
  buildMessage(): object
}

/**
 * Reads the tree of a message up to the part behind MAX_PARTS; `raw` must cover its buffer from end to end. Of the
 * library only its reading of lines is used: what it would make of the tree besides, text of HTML and lists of
 * addresses, takes the square or the cube of what a stranger writes there.
 * @throws Error when the structure is beyond MAX_NESTING_DEPTH or MAX_PARTS_HEADER_BYTES
 */
export async function readMimeTree(raw: Uint8Array<ArrayBuffer>): Promise<MimeNode> {
  const parser = new PostalMime({ maxNestingDepth: MAX_NESTING_DEPTH, maxHeadersSize: MAX_PARTS_HEADER_BYTES })
  const internals = parser as unknown as Internals
  const { root } = internals
  const processLine = internals.processLine.bind(parser)
  let node: MimeNode | null = null
  let parts = 1
  let last = root
  internals.processLine = async (line, isFinal) => {
    if (internals.currentNode !== node && internals.currentNode.state === 'body') {
      node = internals.currentNode
      if (node.contentTransferEncoding.encoding !== 'base64')
        node.contentDecoder = exactDecoder(raw, node, node === root)
    }
    await processLine(line, isFinal)
    if (internals.currentNode === last) return
    last = internals.currentNode
    if (last.state === 'header') parts += 1
    if (parts > MAX_PARTS && !isFinal) {
      internals.readPos = raw.length
      await internals.finalize()
    }
  }
  internals.collectNode = async () => {}
  internals.renderTextContent = () => {}
  internals.buildMessage = () => ({})
  await parser.parse(raw.buffer)
  return root
}

/**
 * The name of a part: RFC 2183 `filename` or, older, the `name` of the type; either may hold encoded words, which
 * may hold control characters, which no filename of ours does.
 */
export function filenameOf(node: MimeNode): string | null {
  const name = node.contentDisposition.parsed.params.filename || node.contentType.parsed.params.name
  return name
    ? decodeWords(name)
        .replace(/\p{Cc}+/gu, ' ')
        .trim()
        .slice(0, MAX_FILENAME_CHARS) || null
    : null
}

/**
 * Notes where the body lies instead of gathering it. The line break before a boundary belongs to the boundary
 * (RFC 2046 5.1.1); only the root has none behind it.
 */
function exactDecoder(raw: Uint8Array<ArrayBuffer>, node: MimeNode, isRoot: boolean): ContentDecoder {
  let start = -1
  let end = -1
  return {
    update(line) {
      if (start === -1) start = line.byteOffset
      end = line.byteOffset + line.byteLength
    },
    async finalize() {
      if (start === -1) return new ArrayBuffer(0)
      const body = raw.subarray(start, isRoot && !node.contentType.multipart ? raw.length : end)
      const quoted = node.contentTransferEncoding.encoding === 'quoted-printable'
      return (quoted ? decodeQuotedPrintable(body) : body.slice()).buffer
    },
  }
}

const CR = 0x0d
const LF = 0x0a
const TAB = 0x09
const SPACE = 0x20
const EQUALS = 0x3d

/** RFC 2045 6.7, robustly: an equals sign that begins neither an escape nor a soft line break stays. */
function decodeQuotedPrintable(body: Uint8Array): Uint8Array<ArrayBuffer> {
  const decoded = new Uint8Array(body.length)
  let length = 0
  for (let i = 0; i < body.length; i++) {
    const byte = body[i] as number
    const escaped = byte === EQUALS ? hexPair(body, i + 1) : -1
    const lineEnd = byte === EQUALS && escaped === -1 ? softBreakEnd(body, i + 1) : -1
    if (escaped !== -1) {
      decoded[length++] = escaped
      i += 2
    } else if (lineEnd !== -1) {
      i = lineEnd
    } else {
      decoded[length++] = byte
    }
  }
  return decoded.slice(0, length)
}

function hexPair(body: Uint8Array, at: number): number {
  const text = String.fromCharCode(body[at] ?? 0, body[at + 1] ?? 0)
  return /^[0-9a-f]{2}$/i.test(text) ? Number.parseInt(text, 16) : -1
}

/** The offset of the last byte of a soft line break whose `=` stands before `at`; -1 when it is none. */
function softBreakEnd(body: Uint8Array, at: number): number {
  let i = at
  while (body[i] === SPACE || body[i] === TAB || body[i] === CR) i++
  return i >= body.length || body[i] === LF ? i : -1
}
