import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FieldFault, Problem } from '../access/problem.ts'
import { checkPassword, normalizePassword, standsAlone } from './password-rules.ts'

const login = 'ada.lovelace@example.com'

function fault(password: string, hasSecondFactor = false): string | undefined {
  try {
    checkPassword(password, { login, hasSecondFactor })
    return undefined
  } catch (error) {
    assert(error instanceof Problem && error.code === 'validation_error')
    const [field] = (error.details as { fields: FieldFault[] }).fields
    assert.equal(field?.path, 'password')
    return field.message
  }
}

test('a password alone has at least 15 characters, beside a second factor 8, and never more than 256', () => {
  assert.equal(fault('correct horse b'), undefined)
  assert.equal(fault('correct horse '), 'must have at least 15 characters')
  assert.equal(fault('plum-axe', true), undefined)
  assert.equal(fault('plum-ax', true), 'must have at least 8 characters')
  const words = 'plum axe river lantern '.repeat(12)
  assert.equal(fault(`${words.slice(0, 255)}x`), undefined)
  assert.equal(fault(`${words.slice(0, 256)}x`), 'must have at most 256 characters')
})

test('characters count as people count them, not as UTF-16 does', () => {
  const password = '🌳🦊🪁🧭🥝🪵🛶'
  assert.equal(fault(password, true), 'must have at least 8 characters')
  assert.equal(fault(`${password}🫖`, true), undefined)
  assert.equal(standsAlone('🌳🦊🪁🧭🥝🪵🛶🫖'), false)
  assert.equal(standsAlone('correct horse b'), true)
})

for (const password of ['password', 'Password', 'iloveyou', 'abcabcabcabcabc', 'aaaaaaaaaaaaaaaa', '1234'.repeat(5)]) {
  test(`${password} is tried first`, () => {
    assert.match(fault(password, true) ?? '', /tried first/)
  })
}

for (const password of [
  'ada.lovelace@example.com',
  'ADA.LOVELACE@EXAMPLE.COM 1815',
  'my name is ada.lovelace',
  'lovelace@example',
]) {
  test(`${password} contains the address or is part of it`, () => {
    assert.match(fault(password) ?? '', /address/)
  })
}

test('no rule of composition: lower case, blanks and letters of any script do', () => {
  for (const password of [
    'four unrelated words here',
    'невероятно длинный пароль',
    'とても長くて誰も知らない合言葉です',
  ]) {
    assert.equal(fault(password), undefined)
  }
})

test('composed and decomposed letters are one password', () => {
  assert.equal(normalizePassword('Zu\u0308rich'), normalizePassword('Z\u00fcrich'))
})
