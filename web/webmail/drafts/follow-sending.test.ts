import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Draft } from '../../../src/servers/webmail/draft-schemas.ts'
import { Refusal } from '../../ui/request.ts'
import { EMPTY } from './fake-drafts.ts'
import { followSending } from './follow-sending.ts'

const DRAFT: Draft = {
  ...EMPTY,
  ...{ id: 'd', messageId: 'm', version: 1, attachments: [], due: { at: 'soon', isScheduled: false } },
  ...{ failure: null, savedAt: '', savedBy: '', createdAt: '' },
}
const FAILURE = { code: 'plan_capacity_exceeded', message: "The plan's capacity is used up." }

/** What the server says, look by look; the last again and again. */
async function follow(answers: readonly (Draft | Refusal)[], isSent = false, toldAt = Number.POSITIVE_INFINITY) {
  const waits: number[] = []
  let look = 0
  const outcome = await followSending(
    {
      async read() {
        const answer = answers[Math.min(look++, answers.length - 1)]
        if (!answer || answer instanceof Refusal) throw answer
        return answer
      },
      wasSent: async () => isSent,
      wait: async (ms) => waits.push(ms) >= toldAt,
    },
    10_000,
  )
  return { outcome, waits, looks: look }
}

const gone = new Refusal(404, { code: 'not_found' })
const away = new Refusal(0, { code: 'unreachable' })

test('what became a message was sent, as soon as the draft is gone', async () => {
  const { outcome, waits } = await follow([DRAFT, away, gone], true)
  assert.deepEqual(outcome, { kind: 'sent' })
  assert.equal(waits.length, 3)
  assert((waits[0] ?? 0) > 10_000, 'not before it is due')
})

test('what could not be sent says why', async () => {
  assert.deepEqual((await follow([DRAFT, { ...DRAFT, due: null, failure: FAILURE }])).outcome, {
    kind: 'failed',
    failure: FAILURE,
  })
})

test('what was taken back or discarded is nothing to speak of', async () => {
  assert.deepEqual((await follow([{ ...DRAFT, due: null }])).outcome, { kind: 'open' })
  assert.deepEqual((await follow([gone])).outcome, { kind: 'open' })
})

test('a server that never says is not asked for ever', async () => {
  const { outcome, waits } = await follow([away])
  assert.deepEqual(outcome, { kind: 'open' })
  assert(waits.length <= 31)
})

test('what the log tells of is not looked for', async () => {
  for (const [toldAt, looks] of [
    [1, 0],
    [3, 2],
  ] as const) {
    const found = await follow([DRAFT], false, toldAt)
    assert.deepEqual([found.outcome, found.looks], [{ kind: 'sent' }, looks])
  }
})
