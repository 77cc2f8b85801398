// docs/states.md tells what the code does.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { MESSAGE_TRANSITIONS, RECIPIENT_TRANSITIONS } from '../src/messages/status.ts'
import { DELIVERY_TRANSITIONS, ENDPOINT_TRANSITIONS } from '../src/webhooks/delivery-state.ts'

const page = await readFile(new URL('../docs/states.md', import.meta.url), 'utf8')

/** The rows of the table under a heading, cell by cell. */
function tableUnder(heading: string): string[][] {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`))
  assert(section, `there is no heading ${heading}`)
  const rows = section.split('\n').filter((line) => line.startsWith('|'))
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

const pairs = (transitions: Record<string, readonly string[]>) =>
  Object.entries(transitions).flatMap(([from, targets]) => targets.map((to) => [from, to]))

for (const [heading, transitions] of [
  ['Message', MESSAGE_TRANSITIONS],
  ['Recipient', RECIPIENT_TRANSITIONS],
] as const) {
  test(`the table of ${heading} has each transition of the code, and no other`, () => {
    assert.deepEqual(
      tableUnder(heading).map(([from, to]) => [from, to]),
      pairs(transitions),
    )
  })
}

for (const [heading, transitions] of [
  ['Webhook delivery', DELIVERY_TRANSITIONS],
  ['Webhook endpoint', ENDPOINT_TRANSITIONS],
] as const) {
  test(`the table of ${heading} says what the code says, word for word`, () => {
    assert.deepEqual(
      tableUnder(heading),
      transitions.map(({ from, by, to, also }) => [from, by, to, also]),
    )
  })
}

test('the table of Job names the states that the database knows', async () => {
  const schema = await readFile(new URL('../schema.sql', import.meta.url), 'utf8')
  const listed = /jobs_state_check CHECK \(\(state = ANY \(ARRAY\[([^\]]+)\]/.exec(schema)?.[1]
  const known = [...(listed ?? '').matchAll(/'([a-z]+)'/g)].map(([, state]) => state)
  const named = new Set(tableUnder('Job').flatMap((row) => row.slice(0, 2)))
  named.delete('–')
  assert.deepEqual([...named].sort(), known.sort())
})
