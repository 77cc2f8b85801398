// Makes text of bytes by the name of their charset, whatever that name is. Pure: no name makes it throw, and its time
// grows no faster than the bytes.
import { isAscii, isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import { LRUCache } from 'lru-cache'
import { decodeHz, decodeIso2022Kr, decodeUtf7 } from './seven-bit-charsets.ts'

type Decode = (bytes: Uint8Array) => string

const utf8 = new TextDecoder()
const windows1252 = new TextDecoder('windows-1252')

/**
 * The text that the bytes stand for. Where the label is missing, says no more than ASCII or is unknown, what is valid
 * UTF-8 is UTF-8, and everything else windows-1252. Bytes that the charset does not have become U+FFFD.
 */
export function decodeText(bytes: Uint8Array, label: string | undefined): string {
  const decode = decoderOf(label ?? '')
  return decode ? decode(bytes) : isUtf8(bytes) ? utf8.decode(bytes) : windows1252.decode(bytes)
}

/**
 * The same for HTML, which may name its charset itself: that counts where the label says nothing and the bytes are no
 * UTF-8 beyond ASCII.
 */
export function decodeHtml(bytes: Uint8Array, label: string | undefined): string {
  if (decoderOf(label ?? '') || (isUtf8(bytes) && !isAscii(bytes))) return decodeText(bytes, label)
  const beginning = Buffer.from(bytes.subarray(0, META_WITHIN_BYTES)).toString('latin1')
  const named = META_CHARSET.exec(beginning)?.[1]
  // A page that could be read as far as its name is in none of these.
  return decodeText(bytes, named && !/^utf-?(7|16|32)/i.test(named) ? named : undefined)
}

/** The HTML standard looks at 1,024; mail has more in front. */
const META_WITHIN_BYTES = 4_096
const META_CHARSET = /<meta\b[^>]{0,500}?\bcharset\s{0,9}=\s{0,9}["']?\s{0,9}([\w:.-]{1,64})/i

const LABEL_CHARS = 64
const KNOWN_LABELS = 1_000
/** A mail may have fifty thousand labels, most of them the same. `decode` is null where the label says nothing. */
const known = new LRUCache<string, { decode: Decode | null }>({
  max: KNOWN_LABELS,
  memoMethod: (label) => ({ decode: findDecoder(label) }),
})

/** Null when the label says nothing. */
function decoderOf(label: string): Decode | null {
  return label.length > LABEL_CHARS ? null : known.memo(label).decode
}

/** The runtime's decoders first, which are the fastest; iconv-lite has the code pages that browsers do not. */
function findDecoder(label: string): Decode | null {
  const key = keyOf(label)
  if (SAYS_NOTHING.has(key)) return null
  const own = SEVEN_BIT.get(key)
  if (own) return own
  const alias = ALIASES.get(key)
  const name = iconvName(key)
  if (name === null && alias === undefined) return null
  const runtime = BY_BYTE_ORDER_MARK.has(key) ? null : runtimeDecoder(alias ?? label.trim())
  if (runtime && !WIDER.has(runtime.encoding)) return (bytes) => runtime.decode(bytes)
  const wider = runtime ? (WIDER.get(runtime.encoding) as string) : name
  return wider === null
    ? null
    : (bytes) => iconv.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), wider)
}

/** Letters and digits: spellings of one name differ by the rest, and by a year. */
function keyOf(label: string): string {
  return label
    .toLowerCase()
    .replace(/:\d{4}\W*$/, '')
    .replace(/[^a-z0-9]/g, '')
}

/** Names of ASCII (RFC 1345), under which everything is sent; `x-user-defined` was a way to say that one did not know. */
const SAYS_NOTHING = new Set(
  'ascii usascii csascii us 646 iso646us isoir6 cp367 ibm367 ansix341968 ansix341986 iso646irv1991 xuserdefined'.split(
    ' ',
  ),
)

const SEVEN_BIT = new Map<string, Decode>([
  ['utf7', decodeUtf7],
  ['unicode11utf7', decodeUtf7],
  ['csunicode11utf7', decodeUtf7],
  ['iso2022kr', decodeIso2022Kr],
  ['csiso2022kr', decodeIso2022Kr],
  ['hz', decodeHz],
  ['hzgb2312', decodeHz],
])

/** Names that mail has and either of the two does not. */
const ALIASES = new Map([
  ['iso88591', 'windows-1252'],
  ['iso88599', 'windows-1254'],
  ['iso885911', 'windows-874'],
  ['csisolatin9', 'iso-8859-15'],
  ['iso88596e', 'iso-8859-6'],
  ['iso88596i', 'iso-8859-6'],
  ['iso88598e', 'iso-8859-8'],
  ['koi8', 'koi8-r'],
  ['iso2022jp', 'iso-2022-jp'],
  ['csiso2022jp', 'iso-2022-jp'],
  ['iso2022jp1', 'iso-2022-jp'],
  ['iso2022jp2', 'iso-2022-jp'],
  ['iso2022jp3', 'iso-2022-jp'],
  ['iso2022jpms', 'iso-2022-jp'],
  ['cp50220', 'iso-2022-jp'],
  ['cp50221', 'iso-2022-jp'],
  ['cp50222', 'iso-2022-jp'],
  ['cp51932', 'euc-jp'],
  ['eucjpms', 'euc-jp'],
  ['euccn', 'gbk'],
  ['uhc', 'euc-kr'],
])

/** What the runtime decodes without the characters that were added to them: iconv-lite has all. */
const WIDER = new Map([
  ['euc-kr', 'cp949'],
  ['big5', 'big5hkscs'],
  ['gbk', 'gb18030'],
])

/** RFC 2781: which of the two byte orders it is says the text; browsers take them for little-endian. */
const BY_BYTE_ORDER_MARK = new Set(['utf16', 'ucs2', 'unicode', 'iso10646ucs2', 'csunicode'])

function runtimeDecoder(label: string): InstanceType<typeof TextDecoder> | null {
  try {
    return new TextDecoder(label)
  } catch {
    return null
  }
}

/** iconv-lite's name for it; null when it knows none. */
function iconvName(key: string): string | null {
  if (BY_BYTE_ORDER_MARK.has(key)) return 'utf16'
  const codePage = CODE_PAGE.exec(key)?.[1]
  const names = [key, key.replace(/^x/, ''), ...(codePage ? [`cp${codePage}`] : [])]
  return names.find((name) => !NO_CHARSETS.has(name) && ICONV_NAMES.has(name)) ?? null
}

/** Asking for a name that is not known costs an exception. The library's list is there once it was asked. */
const ICONV_NAMES = new Set(iconv.encodingExists('utf8') ? Object.keys(iconv.encodings ?? {}) : [])

const CODE_PAGE = /^(?:x|cs)?(?:windows|win|ms|ibm|dos|oem|pc|cp)?0*(\d{3,5})$/

/** Other things that iconv-lite calls encodings. */
const NO_CHARSETS = new Set(['', 'base64', 'hex', 'binary', 'utf7imap'])
