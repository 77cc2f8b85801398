// The SHA-256 of a file, in hexadecimal. Browsers have it for pages that are reached securely; elsewhere it is worked out here.

/** `subtle` is null where the browser has none. */
export async function digestOf(
  file: Blob,
  subtle: SubtleCrypto | null = globalThis.crypto?.subtle ?? null,
): Promise<string> {
  if (subtle) return hex(new Uint8Array(await subtle.digest('SHA-256', await file.arrayBuffer())))
  const { sha256 } = await import('@noble/hashes/sha2.js')
  const hash = sha256.create()
  const reader = file.stream().getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) hash.update(part.value)
  return hex(hash.digest())
}

const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
