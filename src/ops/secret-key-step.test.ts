import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextStep, OVERLAP_DAYS, type TurningKeys, type TurningStep } from './secret-key-step.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const NOW = 100 * DAY_MS
const since = (days: number) => NOW - days * DAY_MS
const keys = (versions: number[], more: Partial<TurningKeys> = {}): TurningKeys => ({
  versions,
  holders: [],
  sealedByOlder: 0,
  currentSinceMs: null,
  ...more,
})

const cases: [string, TurningKeys, TurningStep][] = [
  ['one key: the next is made', keys([1], { holders: [[1], [1]] }), { kind: 'add', version: 2 }],
  ['a process still has another alone', keys([2], { holders: [[2], [1]] }), { kind: 'restart', processes: 1 }],
  ['the new one opens', keys([1, 2], { holders: [[1, 2]] }), { kind: 'promote', version: 2 }],
  ['no process runs', keys([1, 2]), { kind: 'promote', version: 2 }],
  ['two processes lack it', keys([1, 2], { holders: [[1], [1, 2], [1]] }), { kind: 'restart', processes: 2 }],
  [
    'one seals by the old one',
    keys([2, 1], {
      holders: [
        [1, 2],
        [2, 1],
      ],
    }),
    { kind: 'restart', processes: 1 },
  ],
  ['something is sealed by the old one', keys([2, 1], { sealedByOlder: 3 }), { kind: 'reseal', secrets: 3 }],
  [
    'the overlap is not over',
    keys([2, 1], { currentSinceMs: since(OVERLAP_DAYS) + 1 }),
    { kind: 'wait', untilMs: NOW + 1 },
  ],
  ['it is over', keys([2, 1], { currentSinceMs: since(OVERLAP_DAYS) }), { kind: 'drop', versions: [1] }],
  ['nobody knows since when', keys([2, 1]), { kind: 'wait', untilMs: NOW + OVERLAP_DAYS * DAY_MS }],
  ['several are old', keys([5, 3, 1], { currentSinceMs: since(9) }), { kind: 'drop', versions: [3, 1] }],
]
for (const [what, given, step] of cases) {
  test(`turning keys: ${what}`, () => assert.deepEqual(nextStep(given, NOW), step))
}
