// What strangers may have us read at a return path: how much of it counts, and that reading it stays little work, for
// it is done where everything else waits.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DeliveryReport, readDeliveryStatus } from './delivery-report.ts'
import { readTextBounce } from './text-bounce.ts'

function exim(addresses: readonly string[], ...lines: string[]): DeliveryReport | null {
  return readTextBounce({
    headers: [{ name: 'X-Failed-Recipients', value: addresses.join(',') }],
    text: ['This message was created automatically by mail delivery software.', ...lines].join('\n'),
  })
}

function status(...lines: string[]): DeliveryReport | null {
  return readDeliveryStatus(new TextEncoder().encode(lines.join('\n')))
}

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `r${i}@far.test`)
const failed = (address: string) => [`Final-Recipient: rfc822; ${address}`, 'Action: failed', '']
const addressesIn = (report: DeliveryReport | null) => report?.recipients.map(({ finalRecipient }) => finalRecipient)

test('as many recipients are read as a message can have', () => {
  for (const count of [150, 151]) {
    assert.deepEqual(addressesIn(exim(numbered(count))), numbered(150))
    assert.deepEqual(addressesIn(status(...numbered(count).flatMap(failed))), numbered(150))
  }
})

test('an address that is listed a thousand times counts once', () => {
  assert.deepEqual(addressesIn(exim([...Array(1_000).fill('a@far.test'), 'b@far.test'])), ['a@far.test', 'b@far.test'])
})

test('nothing that is longer than an address is one', () => {
  for (const read of [(address: string) => exim([address]), (address: string) => status(...failed(address))]) {
    assert.deepEqual(addressesIn(read(`a@${'x'.repeat(318)}`)), [`a@${'x'.repeat(318)}`])
    assert.equal(read(`a@${'x'.repeat(319)}`), null)
  }
})

test("fifty lines are read of a listed recipient's reason", () => {
  const reason = (lines: number) =>
    exim(['a@far.test'], ' a@far.test', ...Array(lines - 1).fill('  x'), '  550 5.1.1 end', ' b@far.test')
  assert.match(reason(50)?.recipients[0]?.diagnosticCode ?? '', /x 550 5\.1\.1 end$/)
  assert.match(reason(51)?.recipients[0]?.diagnosticCode ?? '', /^[x ]+$/)
})

test('ten thousand lines are read of a report', () => {
  const report = (before: number) => status(...Array(before).fill(''), ...failed('a@far.test').slice(0, 2))
  assert.deepEqual(addressesIn(report(9_998)), ['a@far.test'])
  assert.equal(report(9_999), null)
})

test('a field of many lines is read to its limit', () => {
  const lines = ['Final-Recipient: a@far.test', 'Action: failed', 'Remote-MTA: 0', ...Array(4_000).fill(' z')]
  assert.equal(status(...lines)?.recipients[0]?.remoteMta, `0${' z'.repeat(2_000)}`.slice(0, 4_000).trim())
})

test('no character of a report is looked at again and again', () => {
  const hostile = {
    'one address a thousand times, with a long reason': () =>
      exim(Array(1_000).fill('a@b'), ' a@b', ...Array(16_000).fill('  x')),
    'many addresses that stand nowhere': () => exim(numbered(1_000), ...Array(30_000).fill(' x')),
    'a field that goes on and on': () => status(...failed('a@b').slice(0, 2), 'X: y', ...Array(9_000).fill(' z')),
    'long fields in short lines': () =>
      status(
        ...failed('a@b').slice(0, 2),
        ...['A', 'B', 'C', 'D'].flatMap((name) => [`${name}: y`, ...Array(1_900).fill(' z')]),
      ),
  }
  for (const [what, read] of Object.entries(hostile)) {
    const { looks, result } = characterLooks(read)
    assert.ok(result, what)
    assert.ok(looks < 1_000_000, `${what}: ${looks}`)
  }
})

/** Runs something, and sums the lengths of the texts that it had looked through or copied. */
function characterLooks<T>(work: () => T): { looks: number; result: T } {
  let looks = 0
  const methods = ['replace', 'slice', 'toWellFormed', 'trim', 'trimEnd', 'trimStart']
  const originals = methods.map((name) => [name, Reflect.get(String.prototype, name)] as const)
  for (const [name, original] of originals) {
    Reflect.set(String.prototype, name, function (this: string, ...given: unknown[]) {
      looks += this.length
      return Reflect.apply(original, this, given)
    })
  }
  try {
    return { result: work(), looks }
  } finally {
    for (const [name, original] of originals) Reflect.set(String.prototype, name, original)
  }
}
