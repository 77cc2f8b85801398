import assert from 'node:assert/strict'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { openTestStore } from '../../test/support/api.ts'
import { attachmentKey } from '../attachments/store.ts'
import { newId } from '../lib/uuid.ts'
import type { LoadedMessage } from './load-messages.ts'
import { storeMime } from './stored-mime.ts'

const store = await openTestStore()
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const signer = () => ({ domain: 'example.test', selector: 'mdk-1', privateKey })

function message(more: Partial<LoadedMessage> = {}): LoadedMessage {
  const id = newId()
  return {
    tenantId: newId(),
    id,
    sandbox: false,
    createdAt: '2026-01-01T00:00:00.000000Z',
    ageMs: 0,
    suspended: null,
    messageIdHeader: `<${id}@example.test>`,
    from: { address: 'a@example.test', name: 'A' },
    to: [{ address: 'b@example.test', name: null }],
    cc: [],
    subject: 'x',
    text: 'x',
    html: null,
    domainId: newId(),
    domain: 'example.test',
    dkimSelector: null,
    dkimEnvelope: null,
    attachments: [],
    objectKey: null,
    open: [],
    ...more,
  }
}

test('what is stored begins with the signature that is told, then and when it is found again', async () => {
  const file = { id: newId(), filename: 'f', mediaType: 'a/b', sizeBytes: 100_000 }
  for (const attachments of [[], [file]]) {
    const one = message({ attachments })
    if (attachments.length > 0) await store.put(attachmentKey(one.tenantId, file.id), randomBytes(file.sizeBytes))
    const built = await storeMime(store, one, signer, false)
    const stored = await store.get(built.objectKey)
    assert(stored)
    const lines = (await buffer(stored)).toString('latin1').split(/\r\n(?![ \t])/)
    assert.equal(`DKIM-Signature: ${built.dkimSignature}`, lines[0]?.replaceAll('\r\n', ''))
    assert.match(built.dkimSignature ?? '', /^v=1; a=rsa-sha256; .* b=[\w+/= ]+$/)
    const again = await storeMime(store, one, () => assert.fail('it is signed already'), true)
    assert.deepEqual([again.dkimSignature, again.sizeBytes], [built.dkimSignature, built.sizeBytes])
  }
})

test('what is not signed has no signature', async () => {
  const one = message()
  for (const again of [false, true]) {
    assert.equal((await storeMime(store, one, () => undefined, again)).dkimSignature, null)
  }
})
