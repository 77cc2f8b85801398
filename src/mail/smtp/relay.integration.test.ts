import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { describe, type TestContext, test } from 'node:test'
import tls from 'node:tls'
import { pino } from 'pino'
import type { SMTPServerOptions } from 'smtp-server'
import { type SinkBehaviour, startRawSmtpServer, startSmtpSink } from '../../../test/support/smtp-sink.ts'
import { createRelay, nextSlot, type RelayOptions } from './relay.ts'
import type { SubmissionRequest } from './smtp-session.ts'

const log = pino({ level: 'silent' })
const timeouts = { connectMs: 300, commandMs: 300, verdictMs: 300 }
const message = Buffer.from('From: a@example.com\r\nSubject: x\r\n\r\n.leading dot\r\nend\r\n')

function request(change: Partial<SubmissionRequest> = {}): SubmissionRequest {
  return {
    envelopeFrom: 'bounce+x@bounce.test',
    recipients: ['one@example.net'],
    message,
    envelopeId: '0192f0a0-0000-7000-8000-000000000001',
    smtpUtf8: false,
    ...change,
  }
}

/** A relay client for one test. */
function relayTo(t: TestContext, url: string, options: Partial<RelayOptions> = {}) {
  const relay = createRelay({ url, connections: 2, log, timeouts, ...options })
  t.after(() => relay.close(0))
  return relay
}

async function sinkFor(t: TestContext, behaviour?: SinkBehaviour) {
  const sink = await startSmtpSink(behaviour)
  t.after(() => sink.stop())
  return sink
}

/** A conversation: the answer to each command by its verb; a function may act instead. */
type Script = Record<string, string | ((connection: number, end: () => void) => string | undefined)>

const OBLIGING: Script = {
  '': '220 ready',
  EHLO: '250-raw\r\n250-PIPELINING\r\n250 ENHANCEDSTATUSCODES',
  MAIL: '250 2.1.0 Ok',
  RCPT: '250 2.1.5 Ok',
  DATA: '354 go ahead',
  '.': '250 2.0.0 Ok',
  RSET: '250 2.0.0 Ok',
  QUIT: '221 2.0.0 Bye',
}

async function scripted(t: TestContext, script: Script) {
  const server = await startRawSmtpServer((line, socket, connection) => {
    const verb =
      line === '.' ? '.' : (/^(EHLO|MAIL|RCPT|DATA|RSET|QUIT)\b/.exec(line)?.[1] ?? (line === '' ? '' : undefined))
    if (verb === undefined || (verb === '' && socket.bytesRead > 0)) return undefined
    const answer = { ...OBLIGING, ...script }[verb]
    return typeof answer === 'function' ? answer(connection, () => socket.destroy()) : answer
  })
  t.after(() => server.stop())
  return server
}

describe('a submission', () => {
  test('hands over exactly the bytes, for all recipients in one transaction', async (t) => {
    const sink = await sinkFor(t)
    const submission = await relayTo(t, sink.url).submit(
      request({ recipients: ['one@example.net', 'two@example.net'] }),
    )
    assert.equal(submission.kind, 'accepted')
    assert.deepEqual(submission.kind === 'accepted' && submission.reply, {
      code: 250,
      enhancedCode: '2.0.0',
      text: 'Ok: taken as 1',
    })
    const [mail] = sink.mails
    assert.equal(sink.mails.length, 1)
    assert.deepEqual(mail?.to, ['one@example.net', 'two@example.net'])
    assert.equal(mail?.from, 'bounce+x@bounce.test')
    assert.deepEqual(mail?.bytes, message)
  })

  test('asks for notifications where they are offered, and for none elsewhere', async (t) => {
    const offering = await scripted(t, { EHLO: '250-raw\r\n250 DSN' })
    await relayTo(t, offering.url).submit(request())
    assert.ok(
      offering.lines.includes('MAIL FROM:<bounce+x@bounce.test> RET=HDRS ENVID=0192f0a0-0000-7000-8000-000000000001'),
    )
    assert.ok(offering.lines.includes('RCPT TO:<one@example.net> NOTIFY=SUCCESS,FAILURE,DELAY'))
    const silent = await scripted(t, {})
    await relayTo(t, silent.url).submit(request())
    assert.ok(silent.lines.includes('MAIL FROM:<bounce+x@bounce.test>'))
    assert.ok(silent.lines.includes('RCPT TO:<one@example.net>'))
  })

  test('asks for no notifications, not even of failures, of mail without an envelope id', async (t) => {
    const offering = await scripted(t, { EHLO: '250-raw\r\n250 DSN' })
    await relayTo(t, offering.url).submit({ ...request(), envelopeId: null })
    assert.ok(offering.lines.includes('MAIL FROM:<bounce+x@bounce.test>'))
    assert.ok(offering.lines.includes('RCPT TO:<one@example.net> NOTIFY=NEVER'))
  })

  test('reads stored bytes when they are wanted', async (t) => {
    const sink = await sinkFor(t)
    const bytes = Buffer.concat([
      Buffer.from('Subject: big\r\n\r\n'),
      Buffer.from(`${randomBytes(3_000).toString('hex')}\r\n`),
    ])
    let opened = 0
    const stored = {
      sizeBytes: bytes.length,
      open: async () => {
        opened++
        return Readable.from([bytes.subarray(0, 1_000), bytes.subarray(1_000)])
      },
    }
    assert.equal((await relayTo(t, sink.url).submit(request({ message: stored }))).kind, 'accepted')
    assert.deepEqual(sink.mails[0]?.bytes, bytes)
    assert.equal(opened, 1)
  })

  test('whose bytes cannot be read, or come short, is thrown back and never completed', async (t) => {
    const sink = await sinkFor(t)
    const relay = relayTo(t, sink.url)
    async function* breaking() {
      yield message.subarray(0, 10)
      throw new Error('disk gone')
    }
    const broken = { sizeBytes: message.length, open: async () => breaking() }
    await assert.rejects(relay.submit(request({ message: broken })), /disk gone/)
    const short = { sizeBytes: message.length + 1, open: async () => Readable.from([message]) }
    await assert.rejects(relay.submit(request({ message: short })), /instead of/)
    assert.equal((await relay.submit(request())).kind, 'accepted')
    assert.equal(sink.mails.length, 1)
  })

  test('that is not wanted any more when its turn has come is not begun', async (t) => {
    const sink = await sinkFor(t)
    // One connection: the second waits until the first is done, and is not wanted by then.
    const relay = relayTo(t, sink.url, { connections: 1 })
    let wanted = true
    const first = relay.submit(request())
    const second = relay.submit(request({ stillWanted: () => wanted }))
    wanted = false
    assert.equal((await first).kind, 'accepted')
    assert.equal((await second).kind, 'not_tried')
    assert.equal((await relay.submit(request({ stillWanted: () => true }))).kind, 'accepted')
    assert.equal(sink.mails.length, 2)
  })

  test('says of each recipient whether it was refused, and goes on for the others', async (t) => {
    const sink = await sinkFor(t, {
      onRecipient: (address) =>
        ({ 'gone@example.net': '550 5.1.1 no such user', 'full@example.net': '452 4.2.2 over quota' })[address],
    })
    const recipients = ['one@example.net', 'gone@example.net', 'full@example.net', 'two@example.net']
    const submission = await relayTo(t, sink.url).submit(request({ recipients }))
    assert.equal(submission.kind, 'accepted')
    assert.deepEqual(submission.kind === 'accepted' && [...submission.refusals], [
      [1, { permanent: true, reply: { code: 550, enhancedCode: '5.1.1', text: 'no such user' } }],
      [2, { permanent: false, reply: { code: 452, enhancedCode: '4.2.2', text: 'over quota' } }],
    ])
    assert.deepEqual(sink.mails[0]?.to, ['one@example.net', 'two@example.net'])
  })

  for (const pipelining of [true, false]) {
    test(`refused for every recipient keeps each one's reply (pipelining: ${pipelining})`, async (t) => {
      const sink = await sinkFor(t, {
        server: { hidePIPELINING: !pipelining },
        onRecipient: (address) =>
          address.startsWith('no') ? '550 5.1.1 no' : address.startsWith('later') ? '450 4.2.0 later' : undefined,
      })
      const relay = relayTo(t, sink.url, { connections: 1 })
      const mixed = await relay.submit(request({ recipients: ['no@example.net', 'later@example.net'] }))
      assert.equal(mixed.kind, 'refused')
      assert.equal(mixed.kind === 'refused' && mixed.permanent, false)
      assert.deepEqual(
        mixed.kind === 'refused' && [...mixed.refusals].map(([i, { permanent, reply }]) => [i, permanent, reply.code]),
        [
          [0, true, 550],
          [1, false, 450],
        ],
      )
      const none = await relay.submit(request({ recipients: ['no@example.net', 'nobody@example.net'] }))
      assert.equal(none.kind === 'refused' && none.permanent, true)
      assert.equal((await relay.submit(request())).kind, 'accepted')
      assert.equal(sink.connections, 1, 'a refusal costs no connection')
    })
  }

  for (const [where, behaviour] of [
    ['the sender', { onSender: () => '550 5.7.1 not you' }],
    ['the message', { onMessage: () => '550 5.7.1 not you' }],
  ] satisfies [string, SinkBehaviour][]) {
    test(`is refused for good when ${where} is`, async (t) => {
      const sink = await sinkFor(t, behaviour)
      const submission = await relayTo(t, sink.url).submit(
        request({ recipients: ['one@example.net', 'two@example.net'] }),
      )
      const reply = { code: 550, enhancedCode: '5.7.1', text: 'not you' }
      const refusal = { permanent: true, reply }
      assert.deepEqual(submission, {
        kind: 'refused',
        permanent: true,
        reply,
        refusals: new Map([
          [0, refusal],
          [1, refusal],
        ]),
      })
      assert.equal(sink.mails.length, 0)
    })
  }

  test('refused at the end keeps what single recipients were answered before', async (t) => {
    const sink = await sinkFor(t, {
      onRecipient: (address) => (address.startsWith('gone') ? '550 5.1.1 gone' : undefined),
      onMessage: () => '451 4.3.0 not now',
    })
    const submission = await relayTo(t, sink.url).submit(
      request({ recipients: ['gone@example.net', 'one@example.net'] }),
    )
    assert.equal(submission.kind === 'refused' && submission.permanent, false)
    assert.deepEqual(
      submission.kind === 'refused' && [...submission.refusals.values()].map(({ reply }) => reply.code),
      [550, 451],
    )
  })

  test('that is too large for the relay is refused without being sent', async (t) => {
    const server = await scripted(t, { EHLO: '250-raw\r\n250 SIZE 50' })
    const submission = await relayTo(t, server.url).submit(request())
    assert.equal(submission.kind === 'refused' && submission.permanent, true)
    assert.equal(submission.kind === 'refused' && submission.reply.enhancedCode, '5.3.4')
    assert.ok(!server.lines.some((line) => line.startsWith('MAIL')))
  })

  test('announces its size where that is understood', async (t) => {
    const server = await scripted(t, { EHLO: '250-raw\r\n250 SIZE 5000' })
    await relayTo(t, server.url).submit(request())
    assert.ok(server.lines.includes(`MAIL FROM:<bounce+x@bounce.test> SIZE=${message.length}`))
  })
})

describe('addresses beyond ASCII', () => {
  test('are declared, in the envelope or in the header alone', async (t) => {
    const server = await scripted(t, { EHLO: '250-raw\r\n250-8BITMIME\r\n250 SMTPUTF8' })
    const relay = relayTo(t, server.url, { connections: 1 })
    await relay.submit(request({ recipients: ['jürgen@example.net'], smtpUtf8: true }))
    await relay.submit(request({ smtpUtf8: true }))
    await relay.submit(request())
    assert.deepEqual(
      server.lines.filter((line) => line.startsWith('MAIL')),
      [
        'MAIL FROM:<bounce+x@bounce.test> SMTPUTF8 BODY=8BITMIME',
        'MAIL FROM:<bounce+x@bounce.test> BODY=8BITMIME SMTPUTF8',
        'MAIL FROM:<bounce+x@bounce.test>',
      ],
    )
    assert.ok(server.lines.includes('RCPT TO:<jürgen@example.net>'))
  })

  test('are refused for good where they are not understood', async (t) => {
    const server = await scripted(t, {})
    const submission = await relayTo(t, server.url).submit(request({ recipients: ['jürgen@example.net'] }))
    assert.equal(submission.kind === 'refused' && submission.permanent, true)
    assert.match(submission.kind === 'refused' ? submission.reply.text : '', /SMTPUTF8/)
  })

  test('only in the domain need nothing of the relay', async (t) => {
    const server = await scripted(t, {})
    assert.equal(
      (await relayTo(t, server.url).submit(request({ recipients: ['post@münchen.example'] }))).kind,
      'accepted',
    )
    assert.ok(server.lines.includes('RCPT TO:<post@xn--mnchen-3ya.example>'))
  })
})

describe('a relay that fails', () => {
  const drop = (_: number, end: () => void) => {
    end()
    return undefined
  }
  const silence = () => undefined
  // Before the last line of the message nothing can have been taken; behind it nobody knows.
  for (const [what, script, kind] of [
    ['refuses the connection with 554', { '': '554 5.3.2 go away' }, 'unavailable'],
    ['greets with garbage', { '': 'HTTP/1.1 400 Bad Request' }, 'unavailable'],
    ['closes at once', { '': drop }, 'unavailable'],
    ['never greets', { '': silence }, 'unavailable'],
    ['answers EHLO with 421', { EHLO: '421 4.3.2 closing' }, 'unavailable'],
    ['answers MAIL with 421', { MAIL: '421 4.3.2 closing' }, 'unavailable'],
    ['answers MAIL with garbage', { MAIL: 'what?' }, 'unavailable'],
    ['never answers MAIL', { MAIL: silence }, 'unavailable'],
    ['drops at MAIL', { MAIL: drop }, 'unavailable'],
    ['answers RCPT with 421', { RCPT: '421 4.3.2 closing' }, 'unavailable'],
    ['drops at RCPT', { RCPT: drop }, 'unavailable'],
    ['drops at DATA', { DATA: drop }, 'unavailable'],
    ['answers DATA with 250', { DATA: '250 2.0.0 Ok' }, 'unavailable'],
    ['answers DATA with 421', { DATA: '421 4.3.2 closing' }, 'unavailable'],
    ['answers DATA with 451', { DATA: '451 4.3.0 not now' }, 'refused'],
    ['answers DATA with 554', { DATA: '554 5.5.1 no' }, 'refused'],
    ['answers the message with 421', { '.': '421 4.3.2 closing' }, 'unavailable'],
    ['answers the message with 451', { '.': '451 4.3.0 not now' }, 'refused'],
    ['drops after the message', { '.': drop }, 'unknown'],
    ['never answers the message', { '.': silence }, 'unknown'],
    ['answers the message with garbage', { '.': 'what?' }, 'unknown'],
    ['answers the message with 354', { '.': '354 more' }, 'unknown'],
    ['answers the message with two lines of which one is missing', { '.': '250-first' }, 'unknown'],
  ] satisfies [string, Script, string][]) {
    test(`it ${what}: ${kind}`, async (t) => {
      for (const ehlo of [OBLIGING.EHLO as string, '250 raw']) {
        const server = await scripted(t, { EHLO: ehlo, ...script })
        const submission = await relayTo(t, server.url).submit(request())
        assert.equal(submission.kind, kind, JSON.stringify(submission))
      }
    })
  }

  test('answers one recipient with garbage: that one is put off, the others go on', async (t) => {
    let recipient = 0
    const server = await scripted(t, { RCPT: () => (recipient++ === 0 ? 'what?' : '250 Ok') })
    const submission = await relayTo(t, server.url).submit(
      request({ recipients: ['one@example.net', 'two@example.net'] }),
    )
    assert.equal(submission.kind, 'accepted')
    assert.deepEqual(submission.kind === 'accepted' && [...submission.refusals].map(([i, r]) => [i, r.permanent]), [
      [0, false],
    ])
  })

  test('is not there: unavailable', async (t) => {
    const sink = await sinkFor(t)
    await sink.stop()
    const submission = await relayTo(t, sink.url).submit(request())
    assert.equal(submission.kind, 'unavailable')
    const reply = { code: null, enhancedCode: null, text: 'connection refused' }
    assert.deepEqual(submission, { kind: 'unavailable', reply, noConnection: true })
  })

  test('breaks in the middle of a large message: nothing was taken', async (t) => {
    let octets = 0
    const server = await startRawSmtpServer((line, socket) => {
      octets += line.length
      if (octets > 200_000) socket.destroy()
      if (line === '' && socket.bytesRead === 0) return '220 ready'
      if (/^EHLO/.test(line)) return '250 raw'
      if (/^(MAIL|RCPT)/.test(line)) return '250 Ok'
      return line === 'DATA' ? '354 go' : undefined
    })
    t.after(() => server.stop())
    const large = Buffer.from('0123456789'.repeat(7).concat('\r\n').repeat(200_000))
    assert.equal((await relayTo(t, server.url).submit(request({ message: large }))).kind, 'unavailable')
  })
})

describe('connections', () => {
  test('are used again, and never more than allowed', async (t) => {
    const sink = await sinkFor(t)
    const relay = relayTo(t, sink.url, { connections: 3 })
    const submissions = await Promise.all(Array.from({ length: 60 }, () => relay.submit(request())))
    assert.ok(submissions.every(({ kind }) => kind === 'accepted'))
    assert.equal(sink.mails.length, 60)
    assert.equal(sink.connections, 3)
    assert.equal(new Set(sink.mails.map(({ session }) => session)).size, 3)
  })

  test('that the relay ended while they were idle fail no message and double none', async (t) => {
    const sink = await sinkFor(t)
    const relay = relayTo(t, sink.url)
    for (let i = 0; i < 5; i++) {
      assert.equal((await relay.submit(request())).kind, 'accepted')
      sink.dropConnections()
    }
    assert.equal(sink.mails.length, 5)
  })

  test('on which the relay allows one message only fail no message', async (t) => {
    const used = new Set<number>()
    const server = await scripted(t, {
      MAIL: (connection) => {
        if (used.has(connection)) return '421 4.7.0 too many messages'
        used.add(connection)
        return '250 Ok'
      },
    })
    const relay = relayTo(t, server.url)
    for (let i = 0; i < 4; i++) assert.equal((await relay.submit(request())).kind, 'accepted')
    assert.equal(server.lines.filter((line) => line === '.').length, 4)
  })

  test('a message that may have been taken is not sent again, idle connection or not', async (t) => {
    let count = 0
    const server = await scripted(t, {
      '.': (_, end) => {
        if (++count === 1) return '250 Ok'
        end()
        return undefined
      },
    })
    const relay = relayTo(t, server.url)
    assert.equal((await relay.submit(request())).kind, 'accepted')
    assert.equal((await relay.submit(request())).kind, 'unknown')
    assert.equal(count, 2)
  })

  test('work again as soon as the relay is back', async (t) => {
    const first = await startSmtpSink()
    const relay = relayTo(t, first.url)
    assert.equal((await relay.submit(request())).kind, 'accepted')
    await first.stop()
    assert.equal((await relay.submit(request())).kind, 'unavailable')
    const second = await sinkFor(t, { port: first.port })
    assert.equal((await relay.submit(request())).kind, 'accepted')
    assert.equal(second.mails.length, 1)
  })

  test('say goodbye on close; what is under way may finish, what comes later is turned away', async (t) => {
    const gate = Promise.withResolvers<undefined>()
    const arrived = Promise.withResolvers<void>()
    const sink = await sinkFor(t, {
      onMessage: () => {
        arrived.resolve()
        return gate.promise
      },
    })
    const relay = createRelay({ url: sink.url, connections: 1, log })
    const underWay = relay.submit(request())
    const waiting = relay.submit(request())
    await arrived.promise
    const closed = relay.close(10_000)
    assert.equal((await waiting).kind, 'not_tried')
    assert.equal((await relay.submit(request())).kind, 'not_tried')
    gate.resolve(undefined)
    assert.equal((await underWay).kind, 'accepted')
    await closed
    assert.equal(sink.mails.length, 1)
  })

  test('that do not finish in time are cut on close, and their message may have been taken', async (t) => {
    const arrived = Promise.withResolvers<void>()
    const server = await scripted(t, {
      '.': () => {
        arrived.resolve()
        return undefined
      },
    })
    const relay = createRelay({ url: server.url, connections: 1, log })
    const underWay = relay.submit(request())
    await arrived.promise
    await relay.close(10)
    const submission = await underWay
    assert(submission.kind === 'unknown' && submission.stopped)
  })

  test('that are cut on close before the relay has a whole message have tried nothing', async (t) => {
    const arrived = Promise.withResolvers<void>()
    const server = await scripted(t, {
      RCPT: () => {
        arrived.resolve()
        return undefined
      },
    })
    const relay = createRelay({ url: server.url, connections: 1, log })
    const underWay = relay.submit(request())
    await arrived.promise
    await relay.close(10)
    assert.equal((await underWay).kind, 'not_tried')
  })

  test('that are being opened to a relay that is silent do not hold up the close', async (t) => {
    const greeted = Promise.withResolvers<void>()
    const silent = await scripted(t, {
      '': () => {
        greeted.resolve()
        return undefined
      },
    })
    const relay = createRelay({ url: silent.url, connections: 1, log })
    const waiting = relay.submit(request())
    await greeted.promise
    await relay.close(3_600_000)
    assert.equal((await waiting).kind, 'not_tried')
  })

  test('quit in the words of the protocol', async (t) => {
    const server = await scripted(t, {})
    const relay = createRelay({ url: server.url, connections: 1, log })
    await relay.submit(request())
    await relay.close(1_000)
    assert.equal(server.lines.at(-1), 'QUIT')
  })
})

describe('the relay answers', () => {
  test('over a new connection, which the next message uses, and over one that is open', async (t) => {
    const server = await scripted(t, {})
    const relay = relayTo(t, server.url)
    assert.equal(await relay.answers(), true)
    assert.equal((await relay.submit(request())).kind, 'accepted')
    assert.equal(await relay.answers(), true)
    assert.equal(server.connections, 1)
    assert.equal(server.lines.at(-1), 'RSET')
  })

  test('not while it is down, nor over a connection that has ended, and again when it is back', async (t) => {
    const first = await startSmtpSink()
    const relay = relayTo(t, first.url)
    assert.equal(await relay.answers(), true)
    await first.stop()
    assert.equal(await relay.answers(), false)
    await sinkFor(t, { port: first.port })
    assert.equal(await relay.answers(), true)
  })

  for (const [what, script] of [
    ['its greeting refuses', { '': '421 4.3.2 too busy' }],
    ['it is silent', { '': () => undefined }],
    ['it speaks something else', { '': 'HTTP/1.1 400 Bad Request' }],
  ] as const satisfies [string, Script][]) {
    test(`not when ${what}`, async (t) => {
      const server = await scripted(t, script)
      assert.equal(await relayTo(t, server.url).answers(), false)
    })
  }

  test('not when it breaks off over a connection that is open', async (t) => {
    const server = await scripted(t, { RSET: (_, end) => void end() })
    const relay = relayTo(t, server.url)
    assert.equal((await relay.submit(request())).kind, 'accepted')
    assert.equal(await relay.answers(), false)
  })

  test('in turn: beside messages it takes no connection more', async (t) => {
    const sink = await sinkFor(t)
    const relay = relayTo(t, sink.url, { connections: 1 })
    const all = [relay.submit(request()), relay.answers(), relay.submit(request()), relay.answers()] as const
    const [first, , second] = await Promise.all(all)
    assert.deepEqual([first.kind, second.kind, await all[1], await all[3]], ['accepted', 'accepted', true, true])
    assert.equal(sink.connections, 1)
  })

  test('not once the service stops', async (t) => {
    const sink = await sinkFor(t)
    const relay = relayTo(t, sink.url)
    await relay.close(0)
    assert.equal(await relay.answers(), false)
  })
})

describe('authentication', () => {
  const users = (accepted: boolean): SinkBehaviour => ({
    server: {
      authOptional: false,
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      onAuth: (auth, _session, done) =>
        accepted && auth.username === 'us er' && auth.password === 'p@ss'
          ? done(null, { user: 'x' })
          : done(Object.assign(new Error('5.7.8 no'), { responseCode: 535 })),
    },
  })
  const withCredentials = (url: string) => url.replace('smtp://', 'smtp://us%20er:p%40ss@')

  test('is done with the credentials of the URL', async (t) => {
    const sink = await sinkFor(t, users(true))
    assert.equal((await relayTo(t, withCredentials(sink.url)).submit(request())).kind, 'accepted')
  })

  test('that fails makes the relay unavailable and fails no message', async (t) => {
    const sink = await sinkFor(t, users(false))
    const submission = await relayTo(t, withCredentials(sink.url)).submit(request())
    const reply = { code: null, enhancedCode: null, text: 'the relay did not let this service authenticate' }
    assert.deepEqual(submission, { kind: 'unavailable', reply, noConnection: true })
    assert.doesNotMatch(JSON.stringify(submission), /p@ss|cEBzcw/)
  })

  test('that is not offered is reported, and nothing goes unauthenticated', async (t) => {
    const sink = await sinkFor(t)
    assert.equal((await relayTo(t, withCredentials(sink.url)).submit(request())).kind, 'unavailable')
    assert.equal(sink.mails.length, 0)
  })
})

describe('TLS', () => {
  const read = (name: string) => readFileSync(new URL(`../../../test/support/tls/localhost.${name}`, import.meta.url))
  const secured = (server: SMTPServerOptions = {}): SinkBehaviour => ({
    server: { key: read('key'), cert: read('pem'), disabledCommands: ['AUTH'], ...server },
  })
  const at = (url: string, scheme: string, host: string, option: string) =>
    `${url.replace('smtp://127.0.0.1', `${scheme}://${host}`)}${option}`

  test('is used wherever it is offered, without proof where nothing secret is sent', async (t) => {
    const sink = await sinkFor(t, secured())
    assert.equal((await relayTo(t, sink.url).submit(request())).kind, 'accepted')
    assert.equal(sink.mails[0]?.secure, true)
  })

  test('that is demanded and not offered is reported', async (t) => {
    const sink = await sinkFor(t)
    const submission = await relayTo(t, `${sink.url}?tls=verified`).submit(request())
    assert.equal(submission.kind, 'unavailable')
    assert.equal(sink.mails.length, 0)
  })

  test('must prove the name of the host when it is to be verified, from the start or by STARTTLS', async (t) => {
    for (const [scheme, server] of [
      ['smtp', {}],
      ['smtps', { secure: true }],
    ] as const) {
      const sink = await sinkFor(t, secured(server))
      const kindAt = async (host: string, option: string) =>
        (await relayTo(t, at(sink.url, scheme, host, option)).submit(request())).kind
      const trusted = tls.getCACertificates('default')
      assert.equal(await kindAt('localhost', '?tls=verified'), 'unavailable', 'nobody vouches for the certificate')
      tls.setDefaultCACertificates([read('pem').toString()])
      try {
        assert.equal(await kindAt('localhost', '?tls=verified'), 'accepted')
        assert.equal(await kindAt('127.0.0.1', '?tls=verified'), 'unavailable', 'the certificate names another host')
      } finally {
        tls.setDefaultCACertificates(trusted)
      }
      assert.equal(await kindAt('127.0.0.1', '?tls=insecure'), 'accepted')
      assert.ok(sink.mails.every(({ secure }) => secure))
    }
  })
})

test('the rate spaces messages evenly', async (t) => {
  assert.equal(nextSlot(0, 5_000, 10), 5_000)
  assert.equal(nextSlot(5_000, 5_001, 10), 5_100)
  const sink = await sinkFor(t)
  const relay = relayTo(t, sink.url, { ratePerSecond: 100 })
  await relay.submit(request())
  const began = performance.now()
  await Promise.all(Array.from({ length: 20 }, () => relay.submit(request())))
  assert.ok(performance.now() - began >= 190, 'twenty more take a fifth of a second')
})
