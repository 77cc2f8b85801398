import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownPath } from './own-path.ts'

test('paths of this origin stay, with query and fragment', () => {
  for (const path of [
    '/',
    '/messages?status=failed&subject=a%20b',
    '/message/1#end',
    '/enter/abc',
    '/a//b',
    '/search?q=//evil.example',
  ]) {
    assert.equal(ownPath(path), path)
  }
})

test('anything else leads to the first page', () => {
  for (const path of [
    undefined,
    ['/messages'],
    '',
    'messages',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/%2e//evil.example',
    '/a/..//evil.example',
    '/./\\evil.example',
    'https://evil.example',
    'https:evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    '//here.invalid.evil.example',
    '//[',
    `/${'a'.repeat(2_048)}`,
  ]) {
    assert.equal(ownPath(path), '/', JSON.stringify(path))
  }
})

test('what comes out goes into a header: it has no line ends and no other characters than URLs have', () => {
  for (const path of ['/a\r\nset-cookie: x=1', '/ä?q=ü "<>', '/\u0000', '/\ud800']) {
    assert.match(ownPath(path), /^\/[\x21-\x7e]*$/)
    assert.doesNotMatch(ownPath(path), /["<>]/)
  }
})
