import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stackParts } from './stack-parts.ts'

test('bars are as high as they are of the highest, their parts over one another from the bottom', () => {
  assert.deepEqual(
    stackParts([
      [1, 3],
      [2, 0],
      [0, 0],
    ]),
    [
      [
        { top: 0.75, height: 0.25 },
        { top: 0, height: 0.75 },
      ],
      [
        { top: 0.5, height: 0.5 },
        { top: 0.5, height: 0 },
      ],
      [
        { top: 1, height: 0 },
        { top: 1, height: 0 },
      ],
    ],
  )
})

test('where there is nothing, or less, no bar is higher than nothing', () => {
  assert.deepEqual(stackParts([]), [])
  assert.deepEqual(stackParts([[0], [-1]]), [[{ top: 1, height: 0 }], [{ top: 1, height: 0 }]])
})
