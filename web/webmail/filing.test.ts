import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Action, changeBy, deletedInWords, doneInWords, isOffered } from './filing.ts'

test('what leads where they lie already, or makes no sense there, is not offered', () => {
  const offered = (folder: Parameters<typeof isOffered>[1]) =>
    (['archive', 'inbox', 'spam', 'trash', 'read', 'star'] as Action[]).filter((action) => isOffered(action, folder))
  assert.deepEqual(offered('inbox'), ['archive', 'spam', 'trash', 'read', 'star'])
  assert.deepEqual(offered('sent'), ['archive', 'trash', 'read', 'star'])
  assert.deepEqual(offered('archive'), ['inbox', 'spam', 'trash', 'read', 'star'])
  assert.deepEqual(offered('spam'), ['archive', 'inbox', 'trash', 'read', 'star'])
  assert.deepEqual(offered('trash'), ['inbox', 'read', 'star'])
})

test('a row is at once what it will be', () => {
  assert.deepEqual(changeBy('spam'), { folder: 'spam' })
  assert.deepEqual(changeBy('unread'), { isRead: false })
  assert.deepEqual(changeBy('unstar'), { isStarred: false })
})

test('what was done is said of one and of many', () => {
  assert.equal(doneInWords('archive', 1), 'Conversation archived.')
  assert.equal(doneInWords('trash', 1_200, 'message'), '1,200 messages moved to the trash.')
  assert.equal(deletedInWords(1, 0), '1 message deleted for good.')
  assert.equal(
    deletedInWords(3, 1),
    '3 messages deleted for good. 1 message still on the way to somebody stays until then.',
  )
})
