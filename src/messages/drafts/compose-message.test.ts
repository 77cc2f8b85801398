import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_TEXT_CHARACTERS } from '../schemas.ts'
import { composeMessage } from './compose-message.ts'

test('a text that is cut ends with a whole character, wherever the cut is', () => {
  const quote = { html: 'Quoted', attribution: '' }
  for (const before of [0, 1, 2, 3]) {
    const body = `${'a'.repeat(MAX_TEXT_CHARACTERS - before)}😀😀`
    const spaced = `${'a  '.repeat(MAX_TEXT_CHARACTERS / 3)}${'a'.repeat(3 - before)}😀😀`
    for (const mail of [
      { body, quote: null },
      { body, quote },
      { body: spaced, quote },
      { body: 'Written', quote: { ...quote, html: body } },
    ]) {
      const { text } = composeMessage({ format: 'html', ...mail })
      assert(text.isWellFormed() && text.length <= MAX_TEXT_CHARACTERS, `${before} before the end`)
      assert(text.length > MAX_TEXT_CHARACTERS / 2)
    }
  }
})
