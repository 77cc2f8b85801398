// A relay with moods, beside mail that flows: whatever it does, each message is sent, reported once, and goes again only
// where the relay may not have had it.
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { after, test } from 'node:test'
import { startService } from '../support/service.ts'
import { prepareService } from '../support/service-under-fault.ts'
import { type RawSmtpServer, startRawSmtpServer } from '../support/smtp-sink.ts'
import { allSent, checkStory, RECOVERS_WITHIN_MS, sendSteadily } from '../support/steady-sends.ts'
import { createTestTenant } from '../support/tenant.ts'
import { until } from '../support/until.ts'

/** What is done in place of the right answer to a line; undefined where the right thing is done. */
type Mood = (step: Step, socket: Socket) => string | undefined

/** What a line is: a greeting due, a command, a line of the message, or its end. */
type Step = 'greeting' | 'EHLO' | 'MAIL' | 'RCPT' | 'DATA' | 'text' | 'end' | 'other'

const SILENCE = ''
const drop = (socket: Socket): string => {
  socket.destroy()
  return SILENCE
}
const GARBAGE = 'HTTP/1.1 400 Bad Request\r\n\r\n<html>\u0000\ufffd</html>'
const SECOND_MS = 1_000

/** What it does, and whether it has had a message then that it does not say it has. */
const MOODS: Record<string, { mood: Mood; mayHaveIt?: true }> = {
  'is down': { mood: (_step, socket) => drop(socket) },
  'is busy': { mood: (step) => (step === 'greeting' || step === 'MAIL' ? '421 4.3.2 Too busy' : undefined) },
  'closes in the middle of the message': { mood: (step, socket) => (step === 'text' ? drop(socket) : undefined) },
  'has the message and closes without a word': {
    mood: (step, socket) => (step === 'end' ? drop(socket) : undefined),
    mayHaveIt: true,
  },
  'answers garbage to all': { mood: () => GARBAGE },
  'answers garbage to the message': { mood: (step) => (step === 'end' ? GARBAGE : undefined), mayHaveIt: true },
  'answers without end': { mood: (step, socket) => (step === 'MAIL' ? drip(socket) : undefined) },
  'is slow': { mood: (step, socket) => (step === 'end' ? later(socket, '250 2.0.0 Ok') : undefined) },
}

/** Lines of one reply, of which the last never comes. */
function drip(socket: Socket): string {
  const timer = setInterval(() => socket.write('250-and so on\r\n'), 10)
  setTimeout(() => socket.destroy(), SECOND_MS)
  socket.once('close', () => clearInterval(timer))
  return SILENCE
}

function later(socket: Socket, words: string): string {
  const timer = setTimeout(() => socket.write(`${words}\r\n`), SECOND_MS)
  socket.once('close', () => clearTimeout(timer))
  return SILENCE
}

interface MoodyRelay extends RawSmtpServer {
  mood: Mood | undefined
  /** How often the mood has shown. */
  shown: number
  /** Every message that came to its end, whatever was answered. */
  mails: { bytes: Buffer }[]
}

async function startMoodyRelay(): Promise<MoodyRelay> {
  const texts = new WeakMap<Socket, string[]>()
  const answer = (line: string, socket: Socket): string | undefined => {
    // Lines that came together with those after which it closed.
    if (socket.destroyed) return undefined
    const text = texts.get(socket)
    const step = stepOf(line, socket, text)
    if (step === 'text') text?.push(line)
    if (step === 'end') {
      relay.mails.push({ bytes: Buffer.from(text?.join('\r\n') ?? '') })
      texts.delete(socket)
    }
    const said = relay.mood?.(step, socket)
    if (said !== undefined) relay.shown++
    if (said === SILENCE) return undefined
    if (said === undefined && step === 'DATA') texts.set(socket, [])
    return said ?? RIGHT[step]
  }
  const relay: MoodyRelay = Object.assign(await startRawSmtpServer(answer), { mood: undefined, shown: 0, mails: [] })
  after(relay.stop)
  return relay
}

const RIGHT: Record<Step, string | undefined> = {
  greeting: '220 ready',
  EHLO: '250 raw',
  MAIL: '250 2.1.0 Ok',
  RCPT: '250 2.1.5 Ok',
  DATA: '354 go on',
  text: undefined,
  end: '250 2.0.0 Ok',
  other: '250 2.0.0 Ok',
}

const greeted = new WeakSet<Socket>()

function stepOf(line: string, socket: Socket, text: string[] | undefined): Step {
  if (text) return line === '.' ? 'end' : 'text'
  if (!greeted.has(socket)) {
    greeted.add(socket)
    return 'greeting'
  }
  const word = line.slice(0, 4).toUpperCase()
  return (['EHLO', 'MAIL', 'RCPT', 'DATA'] as const).find((step) => step === word) ?? 'other'
}

const under = await prepareService()
const { database, env } = under
const relay = await startMoodyRelay()
const service = await startService({ ...env, MDK_RELAY_URL: relay.url })

for (const [what, { mood, mayHaveIt }] of Object.entries(MOODS)) {
  test(`a relay that ${what} loses nothing and doubles nothing it has not had`, async () => {
    const tenant = await createTestTenant(database)
    relay.shown = 0
    relay.mood = mood
    const sends = sendSteadily(() => service.url, tenant, 60)
    await sends.done
    assert.deepEqual(sends.others, new Map(), 'what is taken does not need the relay')
    await until('it has shown its mood', () => relay.shown >= 20, RECOVERS_WITHIN_MS)
    relay.mood = undefined
    await allSent(database, tenant, 60)
    const doubled = await checkStory(database, tenant, sends.taken, relay.mails)
    assert.equal(doubled, mayHaveIt ? relay.shown : 0)
  })
}

test('after all of it everything holds', async () => {
  assert.equal(await service.stop(), 0)
  await under.assertWhole()
})
