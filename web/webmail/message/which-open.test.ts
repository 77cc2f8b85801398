import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entry, Head } from './shapes.ts'
import { folderOf, opensWith, unreadByPlace, unreadIn } from './which-open.ts'

const entry = (mailboxId: string, folder: Entry['folder'], isRead = true): Entry => {
  return { mailboxId, folder, isRead, isStarred: false }
}
const head = (id: string, ...entries: Entry[]): Head => ({
  ...{
    id,
    direction: 'inbound',
    from: null,
    to: [],
    cc: [],
    recipients: 0,
    at: '2026-01-01T00:00:00.000Z',
    preview: '',
  },
  ...{ status: 'received', hasAttachments: false, entries },
})

test('the newest, the one asked for and the unread are open', () => {
  const messages = [
    head('1', entry('a', 'inbox')),
    head('2', entry('a', 'inbox'), entry('b', 'inbox', false)),
    head('3', entry('a', 'inbox')),
    head('4', entry('a', 'sent')),
  ]
  assert.deepEqual([...opensWith(messages, '4')].sort(), ['2', '4'])
  assert.deepEqual([...opensWith(messages, '1')].sort(), ['1', '2', '4'])
  assert.deepEqual([...opensWith([], '1')], [])
})

test('of many unread ones the newest ten are open', () => {
  const messages = Array.from({ length: 30 }, (_, i) => head(String(i), entry('a', 'inbox', false)))
  const open = opensWith(messages, '29')
  assert.equal(open.size, 10)
  assert(open.has('29') && open.has('20') && !open.has('19'))
  assert.equal(opensWith(messages, '0').size, 10)
})

test('what is unread is marked where it lies, and nowhere that may only be read', () => {
  const messages = [
    head('1', entry('a', 'inbox', false), entry('b', 'inbox', false)),
    head('2', entry('a', 'inbox', false)),
    head('3', entry('a', 'archive', false)),
    head('4', entry('a', 'inbox')),
  ]
  assert.deepEqual(
    unreadByPlace(messages, (id) => id === 'a'),
    [
      { folder: 'inbox', mailbox: 'a', messages: ['1', '2'] },
      { folder: 'archive', mailbox: 'a', messages: ['3'] },
    ],
  )
})

test('what is done is done where it was opened from, or where the message lies', () => {
  const messages = [head('1', entry('a', 'archive')), head('2', entry('a', 'inbox'), entry('b', 'trash'))]
  assert.equal(folderOf(messages, '2', { folder: 'archive' }), 'archive')
  assert.equal(folderOf(messages, '2', { folder: 'spam' }), 'inbox')
  assert.equal(folderOf(messages, '2', { mailbox: 'b' }), 'trash')
  assert.equal(folderOf(messages, '1', { mailbox: 'b' }), 'trash')
  assert.equal(folderOf([], '1', {}), undefined)
})

test('what is unread of some lies in one folder or another', () => {
  const messages = [head('1', entry('a', 'inbox')), head('2', entry('a', 'inbox'), entry('b', 'archive', false))]
  assert.equal(unreadIn(messages, 'archive'), true)
  assert.equal(unreadIn(messages, 'inbox'), false)
  assert.equal(unreadIn([], 'inbox'), false)
})
