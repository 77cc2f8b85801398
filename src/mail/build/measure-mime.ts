// Says how large the message will be that build-mime.ts writes and dkim-signature.ts signs, to the octet and without
// reading its attachments.
import { writeMime } from './build-mime.ts'
import { type DkimIdentity, dkimSignatureSize } from './dkim-signature.ts'
import { fileBodySize } from './file-part.ts'
import type { OutgoingMessage } from './layout.ts'

export interface MeasuredSigner extends DkimIdentity {
  /** The modulus of its key. */
  keyBits: number
}

const HEADER_END = '\r\n\r\n'

/** How many octets the message has, with its signature when there is a signer. @throws UnbuildableMessage */
export async function measureMime(message: OutgoingMessage, signer?: MeasuredSigner): Promise<number> {
  const attached = (message.attachments ?? []).reduce((sum, { sizeBytes }) => sum + fileBodySize(sizeBytes), 0)
  let size = attached
  let header = ''
  let signature = 0
  for await (const chunk of writeMime(message, async () => nothing())) {
    size += chunk.length
    if (!signer || signature > 0) continue
    header += chunk.toString('latin1')
    const end = header.indexOf(HEADER_END)
    if (end !== -1) signature = dkimSignatureSize(header.slice(0, end), signer, signer.keyBits)
  }
  return size + signature
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
