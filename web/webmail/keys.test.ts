import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandFor, type KeyPress, SHORTCUTS } from './keys.ts'

test('each shortcut has a key of its own', () => {
  const keys = SHORTCUTS.flatMap(([, each]) => each)
  assert.equal(new Set(keys).size, keys.length)
})

test('a key does what it says, whatever Caps Lock makes of it, and nothing with a modifier', () => {
  const cases: [KeyPress, string | undefined][] = [
    [{ key: 'j' }, 'next'],
    [{ key: 'J' }, 'next'],
    [{ key: 'J', shiftKey: true }, undefined],
    [{ key: 'I', shiftKey: true }, 'read'],
    [{ key: 'i', shiftKey: true }, 'read'],
    [{ key: 'i' }, undefined],
    [{ key: 'u' }, 'back'],
    [{ key: 'U', shiftKey: true }, 'unread'],
    [{ key: '#', shiftKey: true }, 'trash'],
    [{ key: '#' }, 'trash'],
    [{ key: '?', shiftKey: true }, 'help'],
    [{ key: '/' }, 'search'],
    [{ key: 'Enter' }, 'open'],
    [{ key: 'Shift', shiftKey: true }, undefined],
    [{ key: 'e', ctrlKey: true }, undefined],
    [{ key: 'j', metaKey: true }, undefined],
    [{ key: 's', altKey: true }, undefined],
  ]
  for (const [press, command] of cases)
    assert.equal(commandFor(press, undefined).command, command, JSON.stringify(press))
})

test('a held key goes on, and does nothing else again', () => {
  assert.equal(commandFor({ key: 'j', repeat: true }, undefined).command, 'next')
  assert.equal(commandFor({ key: 'k', repeat: true }, undefined).command, 'previous')
  for (const key of ['e', '#', 's', 'x', 'z', 'g']) assert.deepEqual(commandFor({ key, repeat: true }, undefined), {})
})

test('two keys do what the second alone does not', () => {
  assert.deepEqual(commandFor({ key: 'g' }, undefined), { former: 'g' })
  assert.deepEqual(commandFor({ key: 'i' }, 'g'), { command: 'inbox' })
  assert.deepEqual(commandFor({ key: 't' }, 'g'), { command: 'sent' })
  assert.deepEqual(commandFor({ key: 'j' }, 'g'), { command: 'next' }, 'what is no pair is itself')
  assert.deepEqual(commandFor({ key: 'g' }, 'g'), { former: 'g' })
})
