import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../lib/uuid.ts'
import { changeBy, difference, FILING_ACTIONS, type FiledEntry } from './filing-action.ts'

const entry: FiledEntry = { messageId: newId(), mailboxId: newId(), folder: 'inbox', isRead: false, isStarred: true }

test('each action changes what it says, and nothing that is so already', () => {
  const changes = FILING_ACTIONS.map((action) => [action, difference(entry, changeBy(action))?.change])
  assert.deepEqual(Object.fromEntries(changes), {
    read: { isRead: true },
    unread: undefined,
    star: undefined,
    unstar: { isStarred: false },
    archive: { folder: 'archive' },
    inbox: undefined,
    spam: { folder: 'spam' },
    trash: { folder: 'trash' },
  })
})

test('what was before is kept of what changes alone, and asking for it takes the change back', () => {
  const asked = { folder: 'trash', isRead: false, isStarred: false } as const
  const made = difference(entry, asked)
  assert.deepEqual(made, {
    change: { folder: 'trash', isStarred: false },
    former: { folder: 'inbox', isStarred: true },
  })
  const back = difference({ ...entry, ...made?.change }, made?.former ?? {})
  assert.deepEqual({ ...entry, ...made?.change, ...back?.change }, entry)
})

test('what is not asked for is left', () => {
  assert.equal(difference(entry, {}), undefined)
  assert.equal(difference(entry, { isRead: undefined }), undefined)
})
