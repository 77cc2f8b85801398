import assert from 'node:assert/strict'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import fc from 'fast-check'
import { openTestStore } from '../../../test/support/api.ts'
import { attachmentKey } from '../../attachments/attachment-key.ts'
import { newId } from '../../lib/uuid.ts'
import { measureMime } from '../../mail/build/measure-mime.ts'
import type { LoadedMessage } from '../../messages/load-messages.ts'
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
    inReplyTo: null,
    references: [],
    domainId: newId(),
    domain: 'example.test',
    dkimSelector: null,
    sealedDkimKey: null,
    attachments: [],
    isStored: false,
    open: [],
    suppressed: [],
    ...more,
  }
}

test('what is stored begins with the signature that is given back, then and when it is found again', async () => {
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

test('a message is measured to the octet that is stored, signed by a key of any size or by none', async () => {
  const keys = [1024, 1536, 2048].map((keyBits) => ({
    keyBits,
    privateKey: generateKeyPairSync('rsa', { modulusLength: keyBits }).privateKey,
  }))
  const label = fc.stringMatching(/^[a-z0-9]{1,40}$/)
  const words = fc.array(
    fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('\r\n', ' ', 'ü'.repeat(90), 'a'.repeat(90))),
  )
  const text = words.map((all) => all.join(' ').toWellFormed())
  const people = fc.array(
    fc.record({
      address: label.map((name) => `${name}@example.test`),
      name: fc.option(text.map((name) => name.slice(0, 255))),
    }),
    { minLength: 1, maxLength: 50 },
  )
  const file = fc.record({
    filename: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 120 }),
    mediaType: fc.constantFrom('a/b', 'text/plain; charset=utf-8', 'message/rfc822', 'x/y; z="ü, ;"'),
    sizeBytes: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 300_000 })),
  })
  const any = fc.record({
    subject: text.map((subject) => subject.slice(0, 998)),
    text: fc.option(text),
    html: fc.option(text),
    to: people,
    cc: people,
    domain: fc.array(label, { minLength: 1, maxLength: 5 }).map((labels) => labels.join('.')),
    attachments: fc.array(file, { maxLength: 4 }),
    key: fc.option(fc.record({ ...{ of: fc.constantFrom(...keys) }, selector: label })),
  })
  await fc.assert(
    fc.asyncProperty(any, async ({ key, ...drawn }) => {
      const attachments = drawn.attachments.map((one) => ({ ...one, id: newId() }))
      const one = message({ ...drawn, attachments })
      for (const { id, sizeBytes } of attachments)
        await store.put(attachmentKey(one.tenantId, id), randomBytes(sizeBytes))
      const identity = key && { domain: one.domain, selector: key.selector }
      const built = await storeMime(
        store,
        one,
        () => (identity ? { ...identity, privateKey: key.of.privateKey } : undefined),
        false,
      )
      const outgoing = { ...one, messageId: one.messageIdHeader, date: new Date(0) }
      assert.equal(
        await measureMime(outgoing, identity ? { ...identity, keyBits: key.of.keyBits } : undefined),
        built.sizeBytes,
      )
    }),
    { numRuns: 100 },
  )
})
