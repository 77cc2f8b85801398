// docs/states.md says what the code does.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { MESSAGE_TRANSITIONS, RECIPIENT_TRANSITIONS } from '../src/messages/status.ts'
import {
  DELIVERY_STATUSES,
  type Delivery,
  type DeliveryStatus,
  receive,
  settle,
} from '../src/webhooks/delivery-state.ts'

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

test('the table of Webhook delivery leads from pending wherever a reception or an attempt leads', () => {
  const reached = new Set<string>()
  for (const attempts of [0, 1, 2, 3, 4]) {
    for (const receptions of [1, 2, 3, 4, 5, 6]) {
      const delivery = { status: 'pending', attempts, receptions } as const
      for (const status of outcomesOf(delivery)) reached.add(status)
    }
  }
  const listed = tableUnder('Webhook delivery').flatMap(([from, , to]) => (from === 'pending' ? [to] : []))
  assert.deepEqual([...new Set(listed)].sort(), [...reached].sort())
})

function* outcomesOf(delivery: Delivery): Generator<DeliveryStatus> {
  for (const endpoint of [true, false].flatMap((enabled) => [true, false].map((waiting) => ({ enabled, waiting })))) {
    for (const timing of ['due', 'early', 'duplicate'] as const) {
      const reception = receive(delivery, timing, endpoint)
      yield reception.kind === 'dead' ? 'dead' : delivery.status
    }
  }
  yield settle(delivery, { kind: 'accepted' }, [1, 2, 3, 4], 0).status
  yield settle(delivery, { kind: 'failed', error: 'timeout' }, [1, 2, 3, 4], 0).status
}

test('the table of Webhook delivery names every status, and each can be replayed', () => {
  const rows = tableUnder('Webhook delivery')
  const named = new Set(rows.flatMap(([from, , to]) => [from, to]))
  assert.deepEqual([...named].sort(), ['none', ...DELIVERY_STATUSES].sort())
  const replayed = rows.flatMap(([from, by]) => (by === 'a replay' ? [from] : []))
  assert.deepEqual(replayed.sort(), [...DELIVERY_STATUSES].sort())
})

test('the table of Webhook endpoint leads to both of its states and out of both', () => {
  const ways = tableUnder('Webhook endpoint').map(([from, , to]) => `${from} → ${to}`)
  const known = ['none → enabled', 'enabled → enabled', 'enabled → disabled', 'disabled → enabled']
  assert.deepEqual([...new Set(ways)].sort(), known.sort())
})

test('the tables of roles, sessions and recovery addresses lead into and out of each state that the database tells apart', async () => {
  const schema = await readFile(new URL('../schema.sql', import.meta.url), 'utf8')
  for (const [heading, table, column, states] of [
    ['Role of a person', 'memberships', 'joined_at timestamp', ['active', 'invited']],
    ['Session', 'sessions', 'whole boolean', ['half', 'whole']],
    ['Recovery address', 'recovery_addresses', 'verified_at timestamp', ['confirmed', 'unconfirmed']],
  ] as const) {
    const [, columns = ''] = schema.split(`\ncreate table ${table} (`)
    assert(columns.split(';')[0]?.includes(column), table)
    const rows = tableUnder(heading)
    for (const cell of [0, 2]) {
      assert.deepEqual([...new Set(rows.map((row) => row[cell] as string))].sort(), [...states, 'none'].sort())
    }
  }
})

test('the table of Job names the states that the database knows', async () => {
  const schema = await readFile(new URL('../schema.sql', import.meta.url), 'utf8')
  const listed = /jobs_state_check CHECK \(\(state = ANY \(ARRAY\[([^\]]+)\]/.exec(schema)?.[1]
  const known = [...(listed ?? '').matchAll(/'([a-z]+)'/g)].map(([, state]) => state)
  const named = new Set(tableUnder('Job').flatMap((row) => row.slice(0, 2)))
  named.delete('–')
  assert.deepEqual([...named].sort(), known.sort())
})
