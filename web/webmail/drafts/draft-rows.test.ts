import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DraftRow } from '../../../src/servers/webmail/draft-schemas.ts'
import { mergeRows } from './draft-rows.ts'
import { EMPTY, fakeClock, fakeServer, fakeTab } from './fake-drafts.ts'

const row = (id: string): DraftRow => ({
  ...{ id, mailboxId: 'm', to: [], subject: id, preview: '', attachmentCount: 0 },
  ...{ due: null, failure: null, savedAt: new Date(0).toISOString() },
})

const pending = (draftId: string, body: string) => {
  const server = fakeServer()
  server.mood = 'away'
  const draft = fakeTab(server, fakeClock()).open({ draftId })
  draft.change({ ...EMPTY, subject: `Mine of ${draftId}`, body })
  return draft
}

test('what this tab has shows as it has it, and what the server does not have shows first', () => {
  const rows = mergeRows([row('a'), row('b')], [pending('b', 'Words'), pending('c', 'Others')]) ?? []
  assert.deepEqual(
    rows.map(({ row, local }) => [row.id, row.subject, row.preview, local?.state]),
    [
      ['c', 'Mine of c', 'Others', 'changed'],
      ['a', 'a', '', undefined],
      ['b', 'Mine of b', 'Words', 'changed'],
    ],
  )
})

test('before the server has answered, what this tab has shows alone', () => {
  assert.equal(mergeRows(undefined, []), undefined)
  assert.deepEqual(
    mergeRows(undefined, [pending('c', '')])?.map(({ row }) => row.id),
    ['c'],
  )
})
