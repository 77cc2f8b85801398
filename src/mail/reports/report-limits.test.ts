// What strangers may have us read at a return path: how much of it counts, and that reading it stays little work, for
// it is done where everything else waits.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DeliveryReport, readDeliveryStatus } from './delivery-report.ts'
import { readComplaint } from './feedback.ts'
import { readTextBounce } from './text-bounce.ts'

/** Mail of a mail system, in no form yet. */
const BOUNCE = { headers: [], from: { name: '', address: 'mailer-daemon@b' }, subject: '', text: null, html: null }

function exim(addresses: readonly string[], ...lines: string[]): DeliveryReport | null {
  return readTextBounce({
    ...BOUNCE,
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

test('no text makes any form search it again and again, and of the largest mail a beginning is read', () => {
  const openings = [
    '',
    'Hi. This is the qmail-send program.\n\n<a@b>:\n',
    'Message from b.\nUnable to deliver message to the following address(es).\n\n<a@b>:\n',
    'This message was created automatically by mail delivery software.\nThe following address failed:\n\n"a@b":\n',
    'Hi!\n\nThis is the MAILER-DAEMON, please DO NOT REPLY to this e-mail.\n\n',
    'This is the DragonFly Mail Agent v0.13 at b.\n\nThere was an error delivering your mail to <a@b>.\n\n',
    'An error occurred while trying to deliver the mail to the following recipients:\nTechnical report:\n\n',
    'This message was created automatically by mail delivery software.\nA message that you sent could not be delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n',
    '----- The following addresses had permanent fatal errors -----\n',
    'Delivery has failed to these recipients or groups:\n\nDiagnostic information for administrators:\nGenerating server: b\n',
    'Your message\nSubject: a\nwas not delivered to:\n',
    'Your message:\n',
    'Each of the following recipients was rejected by a remote\nmail server.\n',
    'did not reach the following recipient(s):\n\na@b on Mon, 1\n',
    'Your mail to the following recipients could not be delivered because they are not accepting mail from a@b:\n',
  ]
  const fillers = [
    ' ',
    '\n',
    '\n \n',
    '\t\n',
    'a@',
    'a@b:\n',
    '<a@b>:\n\n',
    '<',
    '"',
    '(',
    "'550 ",
    ': 550 ',
    ':550:',
    '5.1.1 - a ',
  ]
  fillers.push(
    'ERROR_CODE :',
    '[Status: a, Address: <',
    'a@b: 550 5.1.1 x\n',
    'mailbox ',
    'exceed quota ',
    'user ',
    'X: y\n z\n',
  )
  fillers.push(
    '--- The header of the original message is following',
    'failed:\n',
    'Final-Recipient: <a@b>\nAction: failed\n',
  )
  const read = (text: string, listed: number) => {
    const headers = [{ name: 'X-Failed-Recipients', value: 'a@b,'.repeat(listed) }]
    const octets = new TextEncoder().encode(`Final-Recipient: a@b\nAction: failed\nDiagnostic-Code: smtp; ${text}`)
    return [
      readTextBounce({ ...BOUNCE, from: { name: '', address: 'a@b' }, text }),
      readTextBounce({ ...BOUNCE, headers, text }),
      readDeliveryStatus(octets),
      readComplaint(octets),
    ]
  }
  const largest = 'a@b: 550 5.1.1 x <a@b>:\n'.repeat(26_214_400 / 24)
  for (const opening of openings) {
    for (const filler of fillers) {
      const text = opening + filler.repeat(65_536 / filler.length)
      const seconds = secondsOfWork(() => read(text, 10_000))
      assert.ok(seconds < 1, `${JSON.stringify([opening, filler])} took ${seconds} s`)
    }
    const text = opening + largest
    const seconds = secondsOfWork(() => read(text, 100_000))
    assert.ok(seconds < 3, `${JSON.stringify(opening)} and 25 MiB took ${seconds} s`)
  }
})

test('no words make those of failure be searched for again and again', () => {
  const openings = ['', 'could not deliver the ', 'could not be delivered to the following recipients: ', '<a@b>:']
  const fillers = [
    ' ',
    '\n',
    'a\n',
    '-',
    '--message ',
    'a@',
    'a@b.b',
    'a@b\n',
    '<a@b>:\n\n',
    '"a" <',
    'the following ',
    'of the ',
    'message message of ',
    'not delivered to ',
    'not delivered to the following recipients: a@b\n',
    "wasn't able to deliver the following message. this is a permanent error; i've given up. sorry it didn't work out. subject: ",
    'failed addresses follow:---',
    'message follow ',
    'a@b... ',
    'sender a@b user unknown ',
    '(expanded from ',
    'an undisclosed address (generated from a@b ',
    'quota mailbox user ',
    'will be ',
    '<br>',
  ]
  for (const opening of openings) {
    for (const filler of fillers) {
      const text = opening + filler.repeat(65_536 / filler.length)
      const seconds = secondsOfWork(() => [
        readTextBounce({ ...BOUNCE, subject: text, text }),
        readTextBounce({ ...BOUNCE, html: text }),
      ])
      assert.ok(seconds < 0.5, `${JSON.stringify([opening, filler])} took ${seconds} s`)
    }
  }
})

/** What the processor spends on it, whoever else is at work: a linear search takes some hundredths. */
function secondsOfWork(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000_000
}

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
