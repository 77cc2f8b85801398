import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { newId } from '../../lib/uuid.ts'
import { sentMessageId } from '../message-id.ts'
import { digestOfId, MOST_MENTIONED_IDS, mentionedIds, sentIdIn } from './mentioned-ids.ts'

const idsTo = (n: number) => Array.from({ length: n }, (_, i) => `<${i}@x>`)

describe('the ids that a message is put into its conversation by', () => {
  test('are its own, the one that it answers, the first of its references and the newest', () => {
    const references = idsTo(100)
    assert.deepEqual(mentionedIds({ messageId: '<own@x>', inReplyTo: '<up@x>', references }), [
      ...['<own@x>', '<up@x>', '<0@x>'],
      ...references.slice(-18),
    ])
  })

  test('are all of 19 references, and leave one out of 20', () => {
    const idsOf = (references: string[]) => mentionedIds({ messageId: null, inReplyTo: null, references })
    assert.deepEqual(idsOf(idsTo(19)), idsTo(19))
    assert.deepEqual(
      idsOf(idsTo(20)),
      idsTo(20).filter((id) => id !== '<1@x>'),
    )
  })

  test('are bounded, each once and each one of the message, whatever it mentions', () => {
    const id = fc.oneof(fc.constantFrom('<a@x>', '<b@x>'), fc.string())
    const one = fc.option(id, { nil: null })
    fc.assert(
      fc.property(one, one, fc.array(id, { maxLength: 200 }), (messageId, inReplyTo, references) => {
        const ids = mentionedIds({ messageId, inReplyTo, references })
        assert(ids.length <= MOST_MENTIONED_IDS)
        assert.equal(new Set(ids).size, ids.length)
        assert(ids.every((id) => id === messageId || id === inReplyTo || references.includes(id)))
        for (const one of [messageId, inReplyTo, references[0] ?? null, references.at(-1) ?? null])
          if (one !== null) assert(ids.includes(one))
      }),
    )
  })
})

test('a Message-ID is kept as the first 64 bits of its SHA-256', () => {
  // As PostgreSQL has it: ('x' || encode(substr(sha256('<a@x>'), 1, 8), 'hex'))::bit(64)::bigint
  assert.equal(digestOfId('<a@x>'), DIGEST_OF_A)
})

const DIGEST_OF_A = '8771503898947080944'

describe('a Message-ID', () => {
  const id = newId()
  test('of ours names the message and the domain', () =>
    assert.deepEqual(sentIdIn(sentMessageId(id, '"a@b"@example.test')), { id, domain: 'example.test' }))
  test('of ours is known in capitals', () =>
    assert.deepEqual(sentIdIn(`<${id.toUpperCase()}@EXAMPLE.test>`), { id, domain: 'EXAMPLE.test' }))
  for (const other of ['<a@x>', `<${id}>`, `${id}@x`, `<${id}@>`, `<x${id}@x>`, `<${id}@x@y>`, '', '<>'])
    test(`such as ${other.replace(id, 'ID')} is none of ours`, () => assert.equal(sentIdIn(other), undefined))
})
