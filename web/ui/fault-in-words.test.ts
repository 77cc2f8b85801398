import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultInWords } from './fault-in-words.ts'

test('what is said of a field names it, and what says itself what it is about stands alone', () => {
  for (const [words, sentence] of [
    ['must have at least 15 characters', 'New password must have at least 15 characters.'],
    ['is not the code', 'New password is not the code.'],
    ['"x" is not an email address', '"x" is not an email address.'],
    ['issues no tokens', 'issues no tokens.'],
    ['The provider does not answer.', 'The provider does not answer.'],
  ] as const) {
    assert.equal(faultInWords('New password', words), sentence)
  }
})
