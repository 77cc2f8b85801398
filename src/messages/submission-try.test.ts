import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RecipientOutcome } from './decide-outcome.ts'
import { answersOfTry, isKept } from './submission-try.ts'

const said = (smtpCode: number, enhancedCode: string, diagnostic: string) => ({ smtpCode, enhancedCode, diagnostic })
const TAKEN = said(250, '2.0.0', 'Ok: taken')
const BUSY = said(451, '4.7.1', 'greylisted')
const outcome = (position: number, status: RecipientOutcome['status'], reply = TAKEN) => ({
  position,
  status,
  ...reply,
})

test('recipients to whom the same was said stand together, in the order of the first of each', () => {
  const answers = answersOfTry(
    [outcome(0, 'sent'), outcome(3, 'sent'), outcome(2, 'failed', said(550, '5.1.1', 'no such user'))],
    [
      { position: 1, ...BUSY },
      { position: 4, ...BUSY },
    ],
  )
  assert.deepEqual(answers, [
    { positions: [0, 3], outcome: 'sent', smtpCode: 250, enhancedCode: '2.0.0', text: 'Ok: taken' },
    { positions: [1, 4], outcome: 'deferred', smtpCode: 451, enhancedCode: '4.7.1', text: 'greylisted' },
    { positions: [2], outcome: 'failed', smtpCode: 550, enhancedCode: '5.1.1', text: 'no such user' },
  ])
})

test('what is reported of a recipient after it was sent is no answer of the try', () => {
  const answers = answersOfTry([outcome(0, 'sent'), outcome(0, 'bounced', said(550, '5.1.1', 'simulated'))], [])
  assert.deepEqual(
    answers.map(({ positions, outcome }) => [positions, outcome]),
    [[[0], 'sent']],
  )
})

test('the same words for other reasons are told apart', () => {
  const answers = answersOfTry([outcome(0, 'failed', BUSY)], [{ position: 1, ...BUSY }])
  assert.deepEqual(
    answers.map(({ positions, outcome }) => [positions, outcome]),
    [
      [[0], 'failed'],
      [[1], 'deferred'],
    ],
  )
})

test('a first try that went through for everybody is not kept; any other is', () => {
  const all = answersOfTry([outcome(0, 'sent'), outcome(1, 'sent')], [])
  const some = answersOfTry([outcome(0, 'sent')], [{ position: 1, ...BUSY }])
  const none = answersOfTry([outcome(0, 'failed', BUSY)], [])
  assert.deepEqual([isKept(all, true), isKept(some, true), isKept(none, true)], [false, true, true])
  for (const answers of [all, some, none]) assert.equal(isKept(answers, false), true)
})
