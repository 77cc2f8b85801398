// A self-signed certificate (RFC 5280), for a listener that was given none. Written out here because libraries
// that make certificates take more memory, and longer to load, than all the rest of the listener.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

export interface Certificate {
  /** PEM, both. */
  cert: string
  key: string
}

const DAY_MS = 24 * 60 * 60 * 1000
const VALID_FOR_MS = 3_650 * DAY_MS

/** Tags of DER (X.690). */
const INTEGER = 0x02
const BIT_STRING = 0x03
const OBJECT_ID = 0x06
const UTF8_STRING = 0x0c
const GENERALIZED_TIME = 0x18
const UTC_TIME = 0x17
const SEQUENCE = 0x30
const SET = 0x31
const VERSION = 0xa0

const COMMON_NAME = element(OBJECT_ID, Buffer.of(0x55, 4, 3))
/** 1.2.840.10045.4.3.2 (RFC 5758 §3.2). */
const ECDSA_WITH_SHA256 = element(SEQUENCE, element(OBJECT_ID, Buffer.from('2a8648ce3d040302', 'hex')))
const VERSION_3 = element(VERSION, element(INTEGER, Buffer.of(2)))

/** A P-256 key and its certificate in the name of a host, valid from the day before. */
export function makeSelfSignedCertificate(host: string, now: Date): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = element(SEQUENCE, element(SET, element(SEQUENCE, COMMON_NAME, element(UTF8_STRING, Buffer.from(host)))))
  const unsigned = element(
    SEQUENCE,
    VERSION_3,
    element(INTEGER, serialNumber()),
    ECDSA_WITH_SHA256,
    name,
    element(SEQUENCE, time(now.getTime() - DAY_MS), time(now.getTime() + VALID_FOR_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = element(BIT_STRING, Buffer.of(0), sign('sha256', unsigned, privateKey))
  return {
    cert: pem(element(SEQUENCE, unsigned, ECDSA_WITH_SHA256, signature)),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function element(tag: number, ...content: Buffer[]): Buffer {
  const length = content.reduce((sum, piece) => sum + piece.length, 0)
  const long = length < 0x80 ? [] : length < 0x100 ? [0x81] : [0x82, length >> 8]
  return Buffer.concat([Buffer.of(tag, ...long, length & 0xff), ...content])
}

/** RFC 5280 §4.1.2.2: positive, and 20 octets at most. */
function serialNumber(): Buffer {
  const number = randomBytes(16)
  number[0] = ((number[0] as number) & 0x3f) | 0x40
  return number
}

/** RFC 5280 §4.1.2.5: years from 2050 on have four digits. */
function time(atMs: number): Buffer {
  const text = `${new Date(atMs).toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`
  return text < '2050' ? element(UTC_TIME, Buffer.from(text.slice(2))) : element(GENERALIZED_TIME, Buffer.from(text))
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
