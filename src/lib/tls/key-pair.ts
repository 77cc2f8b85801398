// A certificate with its key, as files have them: read, and held against each other before anybody is shown them.
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'

/** Paths of PEM files. The certificate's holds its chain too. */
export interface KeyPairFiles {
  cert: string
  key: string
}

export interface KeyPair {
  /** PEM, both; the certificate is the first of its chain. */
  cert: string
  key: string
  /** The first instant at which one of the chain is good no more. */
  expiresAtMs: number
}

/** @throws Error that says in words what is wrong with which file */
export async function readKeyPair(files: KeyPairFiles): Promise<KeyPair> {
  const [cert, key] = await Promise.all([read(files.cert), read(files.key)])
  const chain = certificatesOf(cert, files.cert)
  const [own] = chain as [X509Certificate]
  if (!own.checkPrivateKey(privateKeyOf(key, files.key))) {
    throw new Error(`the key in ${files.key} is not that of the first certificate in ${files.cert}`)
  }
  // What the library that serves them refuses, such as a key that is too short.
  createSecureContext({ cert, key })
  return { cert, key, expiresAtMs: Math.min(...chain.map(({ validToDate }) => validToDate.getTime())) }
}

async function read(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${path} cannot be read (${error.code})`)
  })
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

function certificatesOf(pem: string, path: string): X509Certificate[] {
  const blocks = pem.match(CERTIFICATE) ?? []
  if (blocks.length === 0) throw new Error(`${path} has no certificate in PEM`)
  try {
    return blocks.map((block) => new X509Certificate(block))
  } catch {
    throw new Error(`${path} has a certificate that is malformed`)
  }
}

function privateKeyOf(pem: string, path: string) {
  try {
    return createPrivateKey(pem)
  } catch {
    throw new Error(`${path} has no private key in PEM, or one with a passphrase`)
  }
}
