// An authenticator in software: makes passkeys and signs with them as one in a phone would (WebAuthn level 2).
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const ATTESTED = 0x40

export interface SoftwarePasskey {
  register(options: { challenge: string }): RegistrationResponseJSON
  authenticate(options: { challenge: string }, more?: Answer): AuthenticationResponseJSON
}

interface Answer {
  origin?: string
  counter?: number
  verified?: boolean
}

/** `counter` goes up with each use; 0 for an authenticator that does not count. */
export function createPasskey(origin: string, { counts = true, idOctets = 16 } = {}): SoftwarePasskey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(idOctets)
  let uses = 0
  const common = {
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key' as const,
    clientExtensionResults: {},
  }
  const next = () => (counts ? ++uses : 0)
  return {
    register({ challenge }) {
      const attested = Buffer.concat([Buffer.alloc(16), octets16(id.length), id, coseKey(publicKey)])
      const data = Buffer.concat([authenticatorData(origin, USER_PRESENT | USER_VERIFIED | ATTESTED, next()), attested])
      // {"fmt": "none", "attStmt": {}, "authData": data}
      const attestation = Buffer.concat([
        Buffer.of(0xa3),
        cborText('fmt'),
        cborText('none'),
        cborText('attStmt'),
        Buffer.of(0xa0),
        cborText('authData'),
        Buffer.of(0x59),
        octets16(data.length),
        data,
      ])
      const clientDataJSON = clientData('webauthn.create', challenge, origin).toString('base64url')
      return { ...common, response: { clientDataJSON, attestationObject: attestation.toString('base64url') } }
    },
    authenticate({ challenge }, { origin: from = origin, counter = next(), verified = true } = {}) {
      const client = clientData('webauthn.get', challenge, from)
      const data = authenticatorData(origin, USER_PRESENT | (verified ? USER_VERIFIED : 0), counter)
      const signature = sign('sha256', Buffer.concat([data, createHash('sha256').update(client).digest()]), privateKey)
      return {
        ...common,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      }
    },
  }
}

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}

function authenticatorData(origin: string, flags: number, counter: number): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([createHash('sha256').update(new URL(origin).hostname).digest(), Buffer.of(flags), count])
}

/** {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y} (RFC 9053). */
function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const [left, right] = [x, y].map((half) => Buffer.from(half, 'base64url')) as [Buffer, Buffer]
  const head = Buffer.of(0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01)
  return Buffer.concat([head, Buffer.of(0x21, 0x58, 0x20), left, Buffer.of(0x22, 0x58, 0x20), right])
}

/** Of less than 24 octets. */
function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.of(0x60 | text.length), Buffer.from(text)])
}

function octets16(value: number): Buffer {
  const octets = Buffer.alloc(2)
  octets.writeUInt16BE(value)
  return octets
}
