// Seals streams of bytes of any length, with little memory, for places that others can reach. What comes out opens whole
// and unchanged, under the name it was sealed for, or not at all. Knows nothing of where it is kept.
//
// A sealed stream is a head – four octets `mdk1`, then a salt of 16 – and the pieces of the text, 65,536 octets each but for
// the last, which is shorter or as long; a stream without octets is one empty piece. Each is sealed by AES-256-GCM (NIST SP
// 800-38D) and followed by its tag of 16 octets. The key is the HKDF-SHA-256 (RFC 5869) of the master key, with the salt and the
// info `mdk/sealed-stream/` and the name; the nonce is the number of the piece from 0, in 11 octets, and an octet that is 1
// for the last piece and 0 for the others. So no piece can be changed, moved, repeated, left out or cut off, and no stream
// can take the place of another.
import { createCipheriv, createDecipheriv, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'

const MAGIC = Buffer.from('mdk1')
const SALT_BYTES = 16
const HEAD_BYTES = MAGIC.length + SALT_BYTES
const PIECE_BYTES = 65_536
const TAG_BYTES = 16
const NONCE_BYTES = 12

/** What should open does not: another key, another name, or other bytes than were sealed. */
export class DamagedBytes extends Error {
  override name = 'DamagedBytes'
}

/** `name`: where the stream will lie. It opens under that name alone. */
export async function* sealStream(
  master: KeyObject,
  name: string,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES)
  const key = keyOf(master, salt, name)
  yield Buffer.concat([MAGIC, salt])
  let number = 0
  for await (const { bytes, last } of pieces(source, PIECE_BYTES)) {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number++, last))
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
  }
}

/** @throws DamagedBytes, or whatever the source throws; what came before is whole up to there, and no more */
export async function* openStream(
  master: KeyObject,
  name: string,
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer> {
  let key: Buffer | undefined
  let number = 0
  for await (const { bytes, last } of pieces(source, PIECE_BYTES + TAG_BYTES, HEAD_BYTES)) {
    if (!key) {
      if (bytes.length < HEAD_BYTES || last || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) throw damaged(name)
      key = keyOf(master, bytes.subarray(MAGIC.length), name)
      continue
    }
    if (bytes.length < TAG_BYTES) throw damaged(name)
    const end = bytes.length - TAG_BYTES
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number++, last)).setAuthTag(bytes.subarray(end))
    const text = decipher.update(bytes.subarray(0, end))
    try {
      decipher.final()
    } catch {
      throw damaged(name)
    }
    yield text
  }
  if (!key) throw damaged(name)
}

function damaged(name: string): DamagedBytes {
  return new DamagedBytes(`${name} is damaged, or was sealed with another key`)
}

function keyOf(master: KeyObject, salt: Uint8Array, name: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master, salt, `mdk/sealed-stream/${name}`, 32))
}

function nonceOf(number: number, last: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES)
  // Of 2^48 pieces there is room for the number; that is 16 EiB.
  nonce.writeUIntBE(number, NONCE_BYTES - 1 - 6, 6)
  nonce[NONCE_BYTES - 1] = last ? 1 : 0
  return nonce
}

/** Cuts a stream into pieces of this size, the first of `first` bytes where that is given. The last may be shorter. */
async function* pieces(
  source: AsyncIterable<Uint8Array>,
  size: number,
  first = size,
): AsyncGenerator<{ bytes: Buffer; last: boolean }> {
  let waiting: Uint8Array[] = []
  let length = 0
  let wanted = first
  for await (const chunk of source) {
    waiting.push(chunk)
    length += chunk.length
    if (length <= wanted) continue
    let all = Buffer.concat(waiting)
    // Whether a piece is the last is known when something follows it.
    for (; all.length > wanted; wanted = size) {
      yield { bytes: all.subarray(0, wanted), last: false }
      all = all.subarray(wanted)
    }
    waiting = [all]
    length = all.length
  }
  yield { bytes: Buffer.concat(waiting), last: true }
}
