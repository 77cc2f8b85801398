import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { Draft } from '../../../src/servers/webmail/draft-schemas.ts'
import { Refusal } from '../../ui/request.ts'
import { CHANGED_ELSEWHERE, type CreatedDraft, fileGone, SENT_ALREADY } from './create-draft.ts'
import { EMPTY, type FakeClock, type FakeServer, type FakeTab, fakeClock, fakeServer, fakeTab } from './fake-drafts.ts'

describe('a draft while it is written', () => {
  let server: FakeServer
  let clock: FakeClock
  let tab: FakeTab
  let draft: CreatedDraft
  beforeEach(() => {
    server = fakeServer()
    clock = fakeClock()
    tab = fakeTab(server, clock)
    draft = tab.open()
  })

  const onServer = (): Draft | undefined => server.drafts.get('d')

  /** Writes letter by letter, `everyMs`. */
  async function type(into: CreatedDraft, words: string, everyMs = 100): Promise<void> {
    for (const letter of words) {
      into.change({ body: into.content.peek().body + letter })
      await clock.pass(everyMs)
    }
  }

  test('what was begun and not changed leaves nothing, here or there', async () => {
    draft.close()
    await clock.pass(60_000)
    assert.deepEqual(server.asked, [])
    assert.equal(tab.kept.size, 0)
  })

  test('it is saved within a second of the last letter, and while letters come no later than every two seconds', async () => {
    draft.change({ body: 'H' })
    assert.equal(draft.state.peek(), 'changed')
    await clock.pass(1_000)
    assert.equal(onServer()?.body, 'H')
    assert.equal(draft.state.peek(), 'saved')
    for (let i = 0; i < 20; i++) {
      await type(draft, 'abcdefghijklmnopqrst')
      const missing = draft.content.peek().body.length - (onServer()?.body.length ?? 0)
      assert(missing * 100 <= 2_000, `${missing} letters`)
    }
  })

  test('each letter is kept in the browser at once, and is forgotten there once it is saved', async () => {
    draft.change({ body: 'H' })
    assert.equal(tab.kept.get('d')?.content.body, 'H')
    await clock.pass(1_000)
    assert.equal(tab.kept.size, 0)
  })

  test('while the server is away it goes on, is said to be offline, and is saved once it is back', async () => {
    server.mood = 'away'
    await type(draft, 'a minute of writing', 3_000)
    assert.equal(draft.state.peek(), 'offline')
    assert.equal(tab.kept.get('d')?.content.body, 'a minute of writing')
    server.mood = 'well'
    await clock.pass(20_000)
    assert.equal(onServer()?.body, 'a minute of writing')
    assert.equal(draft.state.peek(), 'saved')
    assert.equal(tab.kept.size, 0)
  })

  test('a server that is away is asked ever less often', async () => {
    server.mood = 'away'
    draft.change({ body: 'H' })
    await clock.pass(60_000)
    assert(server.asked.length <= 9, String(server.asked.length))
    const asked = server.asked.length
    server.mood = 'well'
    draft.nudge()
    await clock.pass(0)
    assert.equal(server.asked.length, asked + 1)
    assert.equal(draft.state.peek(), 'saved')
  })

  test('a save whose answer was lost is no conflict with oneself, also after a crash', async () => {
    server.mood = 'deaf'
    draft.change({ body: 'One' })
    await clock.pass(1_000)
    draft.change({ body: 'One and two' })
    const kept = structuredClone(tab.kept.get('d'))
    server.mood = 'well'
    await clock.pass(10_000)
    assert.equal(draft.state.peek(), 'saved')
    assert.deepEqual([onServer()?.body, onServer()?.version], ['One and two', 2])
    const other = fakeServer()
    other.drafts.set('d', { ...(onServer() as Draft), body: 'One', version: 1 })
    const again = fakeTab(other, clock).open(kept)
    await clock.pass(1_000)
    assert.deepEqual([again.state.peek(), other.drafts.get('d')?.body], ['saved', 'One and two'])
  })

  test('a clock on the wall that is set back or forward keeps nothing from being saved', async () => {
    for (const hours of [-5, 5]) {
      draft.change({ body: `${hours}` })
      clock.wrongByMs = hours * 3_600_000
      await clock.pass(1_000)
      assert.equal(onServer()?.body, `${hours}`)
    }
  })

  test('what the server refuses is said, and asked again once it was changed', async () => {
    server.refusal = new Refusal(422, { code: 'validation_error' })
    draft.change({ subject: 'x' })
    await clock.pass(60_000)
    assert.deepEqual(server.asked, ['save'])
    assert.equal((draft.fault.peek() as Refusal).status, 422)
    server.refusal = undefined
    draft.change({ subject: 'y' })
    await clock.pass(1_000)
    assert.equal(draft.fault.peek(), undefined)
    assert.equal(onServer()?.subject, 'y')
  })

  test('what it names and is there no more keeps no text from being saved', async () => {
    const { save } = server
    server.save = (id, content) => {
      const field = content.answers ? 'answers' : content.attachmentIds[1] ? 'attachmentIds[1]' : undefined
      return field ? Promise.reject(new Refusal(404, { code: 'not_found', details: { field } })) : save(id, content)
    }
    draft.attach({ id: 'there', filename: 'there.pdf', mediaType: 'application/pdf', sizeBytes: 1 })
    draft.attach({ id: 'gone', filename: 'gone.pdf', mediaType: 'application/pdf', sizeBytes: 1 })
    draft.change({ body: 'Hello', answers: 'gone' })
    await clock.pass(1_000)
    assert.deepEqual(tab.filesGone, [fileGone('gone.pdf')])
    assert.match(fileGone('gone.pdf'), /gone\.pdf is no longer on the server/)
    assert.deepEqual(
      [draft.state.peek(), onServer()?.body, onServer()?.answers, onServer()?.attachmentIds],
      ['saved', 'Hello', null, ['there']],
    )
    server.save = () => Promise.reject(new Refusal(404, { code: 'not_found', details: { field: 'mailboxId' } }))
    draft.change({ body: 'Hello again' })
    await clock.pass(60_000)
    assert.deepEqual([draft.state.peek(), (draft.fault.peek() as Refusal).status], ['changed', 404])
    assert.equal(tab.kept.get('d')?.content.body, 'Hello again')
  })

  describe('and somebody else writes it', () => {
    let other: CreatedDraft
    let otherTab: FakeTab
    beforeEach(async () => {
      draft.change({ body: 'Common' })
      await clock.pass(1_000)
      otherTab = fakeTab(server, clock)
      other = otherTab.open({ stored: onServer() as Draft })
      other.change({ body: 'Theirs' })
      await clock.pass(1_000)
    })

    async function conflict(): Promise<void> {
      draft.change({ body: 'Mine' })
      await clock.pass(1_000)
      assert.equal(draft.state.peek(), 'conflict')
      assert.equal(draft.conflict.peek()?.body, 'Theirs')
      assert.equal(onServer()?.body, 'Theirs', 'nothing is overwritten')
      assert.equal(tab.kept.get('d')?.content.body, 'Mine', 'and nothing is lost')
    }

    test('mine can be kept', async () => {
      await conflict()
      await draft.settle('mine')
      assert.deepEqual([draft.state.peek(), onServer()?.body], ['saved', 'Mine'])
      assert.equal(tab.kept.size, 0)
    })

    test('theirs can be taken, and is shown', async () => {
      await conflict()
      await draft.settle('theirs')
      assert.deepEqual([draft.state.peek(), draft.content.peek().body, draft.replaced.peek()], ['saved', 'Theirs', 1])
      assert.equal(tab.kept.size, 0)
    })

    test('both can be kept, mine as a draft of its own', async () => {
      await conflict()
      await draft.settle('both')
      assert.deepEqual([draft.content.peek().body, onServer()?.body], ['Theirs', 'Theirs'])
      assert.deepEqual(
        tab.copies.map(({ body }) => body),
        ['Mine'],
      )
    })

    test('what is typed while both texts show is kept', async () => {
      await conflict()
      draft.change({ body: 'Mine, longer' })
      await clock.pass(10_000)
      assert.equal(tab.kept.get('d')?.content.body, 'Mine, longer')
      await draft.settle('mine')
      assert.equal(onServer()?.body, 'Mine, longer')
    })

    test('the same text is no conflict', async () => {
      draft.change({ body: 'Theirs' })
      await clock.pass(1_000)
      assert.equal(draft.state.peek(), 'saved')
    })

    test('when they discard it, what is not saved here stays and can be kept', async () => {
      await other.discard()
      draft.change({ body: 'Mine' })
      await clock.pass(1_000)
      assert.deepEqual([draft.state.peek(), draft.end.peek()], ['gone', 'discarded'])
      assert.equal(tab.kept.get('d')?.content.body, 'Mine')
      await draft.settle('mine')
      assert.deepEqual(
        tab.copies.map(({ body }) => body),
        ['Mine'],
      )
      assert.equal(tab.kept.size, 0)
    })

    test('when they send it, what is not saved here can be chosen, and takes it back', async () => {
      await other.send()
      draft.change({ body: 'Mine' })
      await clock.pass(1_000)
      assert.equal(draft.state.peek(), 'conflict')
      assert.notEqual(draft.conflict.peek()?.due, null)
      const settling = draft.settle('mine')
      await clock.pass(1_000)
      await settling
      assert.deepEqual([onServer()?.due, onServer()?.body], [null, 'Mine'])
    })

    test('when it went out, what is not saved here stays', async () => {
      await other.send()
      server.sendDue()
      draft.change({ body: 'Mine' })
      await clock.pass(1_000)
      assert.deepEqual([draft.end.peek(), tab.kept.get('d')?.content.body], ['sent', 'Mine'])
    })

    test('what somebody else wrote is not sent by whoever has not seen it', async () => {
      const sending = draft.send()
      await Promise.all([assert.rejects(sending, { message: CHANGED_ELSEWHERE }), clock.pass(1_000)])
      assert.equal(draft.content.peek().body, 'Theirs')
      assert.equal(onServer()?.due, null)
    })
  })

  test('a tab in which nothing is written follows the other', async () => {
    draft.change({ body: 'Common' })
    await clock.pass(1_000)
    const other = fakeTab(server, clock, [tab]).open({ stored: onServer() as Draft })
    await type(other, ' and more')
    await clock.pass(1_000)
    assert.deepEqual([draft.content.peek().body, draft.state.peek()], ['Common and more', 'saved'])
    await other.discard()
    assert.equal(draft.state.peek(), 'gone')
  })

  test('two tabs that write in turns on one draft have no conflict', async () => {
    const second = fakeTab(server, clock, [tab])
    const first = fakeTab(server, clock, [second])
    const one = first.open()
    one.change({ body: 'a' })
    await clock.pass(1_000)
    const two = second.open({ stored: onServer() as Draft })
    for (const words of ['b', 'c', 'd']) {
      two.change({ body: `${two.content.peek().body}${words}` })
      await clock.pass(1_000)
      await one.meet(structuredClone(onServer()))
      one.change({ body: `${one.content.peek().body}${words}` })
      await clock.pass(1_000)
    }
    assert.equal(onServer()?.body, 'abbccdd')
    assert.deepEqual([one.state.peek(), two.state.peek()], ['saved', 'saved'])
  })

  describe('and is sent', () => {
    test('what is not saved is saved first, and pressed twice it is sent once', async () => {
      draft.change({ body: 'Hello' })
      const both = Promise.all([draft.send(), draft.send()])
      await clock.pass(0)
      await both
      await draft.send()
      assert.deepEqual(server.asked, ['save', 'send'])
      assert.deepEqual([draft.state.peek(), onServer()?.body], ['due', 'Hello'])
      assert.deepEqual(tab.due, ['d'])
      assert.equal(tab.kept.size, 0)
    })

    test('an answer that nothing was added to can be sent', async () => {
      const sending = draft.send()
      await clock.pass(0)
      await sending
      assert.deepEqual(server.asked, ['save', 'send'])
    })

    test('what is wrong with it is said to whoever sends it, and it can be sent once it is right', async () => {
      draft.change({ body: 'Hello' })
      await clock.pass(1_000)
      server.refusal = new Refusal(422, { details: { fields: [{ path: 'to', message: 'must not be empty' }] } })
      const sending = draft.send()
      await Promise.all([assert.rejects(sending, { status: 422 }), clock.pass(0)])
      assert.equal(draft.state.peek(), 'saved')
      server.refusal = undefined
      const again = draft.send()
      await clock.pass(0)
      await again
      assert.equal(draft.state.peek(), 'due')
    })

    test('without a file that is gone it is not sent unasked: that is said, and then it can be', async () => {
      for (const refusing of ['save', 'send'] as const) {
        server = fakeServer()
        tab = fakeTab(server, clock)
        draft = tab.open()
        const { save, send } = server
        const absent = () =>
          Promise.reject(new Refusal(404, { code: 'not_found', details: { field: 'attachmentIds[0]' } }))
        if (refusing === 'save') server.save = (id, asked) => (asked.attachmentIds[0] ? absent() : save(id, asked))
        else server.send = (id, how) => (onServer()?.attachmentIds[0] ? absent() : send(id, how))
        draft.change({ body: 'Hello' })
        draft.attach({ id: 'gone', filename: 'gone.pdf', mediaType: 'application/pdf', sizeBytes: 1 })
        const sending = draft.send()
        const refused = assert.rejects(sending, { message: fileGone('gone.pdf') })
        await clock.pass(0)
        await refused
        await clock.pass(20_000)
        assert.deepEqual([draft.state.peek(), onServer()?.attachmentIds, server.sendings], ['saved', [], 0])
        const again = draft.send()
        await clock.pass(0)
        await again
        assert.deepEqual([draft.state.peek(), server.sendings], ['due', 1])
      }
    })

    test('taken back it is as it was', async () => {
      draft.change({ body: 'Hello' })
      const sending = draft.send()
      await clock.pass(0)
      await sending
      const back = draft.takeBack()
      await clock.pass(0)
      await back
      assert.deepEqual([draft.state.peek(), onServer()?.due], ['saved', null])
    })

    test('taken back too late it says that it was sent', async () => {
      const sending = draft.send()
      await clock.pass(0)
      await sending
      server.sendDue()
      const back = draft.takeBack()
      await Promise.all([assert.rejects(back, { message: SENT_ALREADY }), clock.pass(0)])
      assert.equal(draft.state.peek(), 'gone')
    })

    test('later, at the time that was chosen, and at once when that has passed', async () => {
      const sendAt = new Date(clock.now() + 3_600_000)
      const sending = draft.send(sendAt)
      await clock.pass(0)
      await sending
      assert.deepEqual(onServer()?.due, { at: sendAt.toISOString(), isScheduled: true })
      const late = fakeServer()
      late.mood = 'away'
      const waiting = fakeTab(late, clock).open()
      const asked = waiting.send(new Date(clock.now() + 60_000))
      await clock.pass(0)
      await asked
      await clock.pass(120_000)
      late.mood = 'well'
      await clock.pass(20_000)
      assert.equal(late.drafts.get('d')?.due?.isScheduled, false)
    })

    test('at a time that had come before it could be asked for, it is sent at once and that is said', async () => {
      server.mood = 'away'
      const sending = draft.send(new Date(clock.date() + 60_000))
      await clock.pass(0)
      await sending
      await clock.pass(120_000)
      server.mood = 'well'
      await clock.pass(20_000)
      assert.deepEqual(
        tab.sendings.map(({ isLate }) => isLate),
        [true],
      )
    })

    for (const [what, happens, state] of [
      ['is still to be sent, it is left at its time', () => {}, 'due'],
      ['has been sent, it is not sent again', () => server.sendDue(), 'gone'],
    ] as const) {
      test(`of one for later whose answer was lost: when it ${what}`, async () => {
        draft.change({ body: 'Hello' })
        await clock.pass(1_000)
        server.mood = 'deaf'
        const sendAt = new Date(clock.date() + 60_000)
        const sending = draft.send(sendAt)
        await clock.pass(0)
        await sending
        server.mood = 'away'
        await clock.pass(120_000)
        happens()
        server.mood = 'well'
        await clock.pass(20_000)
        assert.equal(draft.state.peek(), state)
        assert.equal(server.sendings, 1)
        const [only] = [...server.drafts.values(), ...server.sent]
        assert.deepEqual(only?.due, { at: sendAt.toISOString(), isScheduled: true })
        assert.deepEqual(tab.refused, [])
      })
    }

    test('what failed while its answer was lost says why, and is not sent again unasked', async () => {
      draft.change({ body: 'Hello' })
      await clock.pass(1_000)
      server.mood = 'deaf'
      const sending = draft.send()
      await clock.pass(0)
      await sending
      const failure = { code: 'plan_capacity_exceeded', message: "The plan's capacity is used up." }
      server.drafts.set('d', { ...(onServer() as Draft), due: null, failure })
      server.mood = 'well'
      await clock.pass(20_000)
      assert.deepEqual([server.sendings, tab.refused, draft.failure.peek()], [1, [failure.message], failure])
    })

    test('it can be taken back for ten seconds from when it was first asked for, whatever the clock on the wall says', async () => {
      for (const isLost of [false, true]) {
        server = fakeServer()
        tab = fakeTab(server, clock)
        draft = tab.open()
        draft.change({ body: 'Hello' })
        await clock.pass(1_000)
        const asked = clock.now()
        if (isLost) server.mood = 'deaf'
        const sending = draft.send()
        await clock.pass(0)
        await sending
        clock.wrongByMs = -5 * 3_600_000
        server.mood = 'well'
        await clock.pass(5_000)
        assert.deepEqual(tab.sendings, [{ untilMs: asked + 10_000, isLate: false }])
        clock.wrongByMs = 0
      }
    })

    test('too much asked for, it waits for as long as the server says, however often one looks, and is sent once', async () => {
      draft.change({ body: 'Hello' })
      await clock.pass(1_000)
      server.refusal = new Refusal(429, { code: 'rate_limited' }, 42)
      const sending = draft.send()
      await clock.pass(0)
      await sending
      assert.deepEqual(draft.away.peek(), { kind: 'limited', retryInSeconds: 42 })
      assert.deepEqual(draft.queued.peek(), { sendAt: null })
      server.refusal = undefined
      draft.nudge()
      await clock.pass(41_900)
      assert.equal(server.sendings, 0)
      await clock.pass(200)
      assert.deepEqual([server.sendings, draft.state.peek(), draft.away.peek()], [1, 'due', undefined])
      assert.deepEqual(server.asked, ['save', 'send', 'send'])
    })

    test('what waits as too much was asked for can be taken back at once', async () => {
      draft.change({ body: 'Hello' })
      await clock.pass(1_000)
      server.refusal = new Refusal(429, { code: 'rate_limited' }, 42)
      const sending = draft.send()
      await clock.pass(0)
      await sending
      server.refusal = undefined
      await draft.takeBack()
      await clock.pass(60_000)
      assert.deepEqual([draft.state.peek(), server.sendings], ['saved', 0])
    })

    test('a service that is busy is asked again, and it is sent once', async () => {
      draft.change({ body: 'Hello' })
      await clock.pass(1_000)
      server.refusal = new Refusal(503, { code: 'service_unavailable' }, 3)
      const sending = draft.send()
      await clock.pass(0)
      await sending
      assert.deepEqual(draft.away.peek(), { kind: 'busy', retryInSeconds: 3 })
      server.refusal = undefined
      await clock.pass(3_000)
      assert.deepEqual([server.sendings, draft.state.peek()], [1, 'due'])
    })

    test('while the server is away it waits, and goes once it is back, once', async () => {
      server.mood = 'away'
      draft.change({ body: 'Hello' })
      const sending = draft.send()
      await clock.pass(0)
      await sending
      assert.deepEqual([draft.state.peek(), draft.queued.peek()], ['offline', { sendAt: null }])
      await clock.pass(60_000)
      server.mood = 'well'
      await clock.pass(20_000)
      assert.deepEqual([draft.state.peek(), draft.queued.peek()], ['due', undefined])
      assert.equal(server.asked.filter((each) => each === 'send').length, 1)
    })

    test('what waits can be taken back', async () => {
      server.mood = 'away'
      const sending = draft.send()
      await clock.pass(0)
      await sending
      await draft.takeBack()
      server.mood = 'well'
      await clock.pass(60_000)
      assert(!server.asked.includes('send'))
      assert.equal(draft.queued.peek(), undefined)
    })

    test('a tab that ended while it waited leaves it to the next', async () => {
      server.mood = 'away'
      draft.change({ body: 'Hello' })
      const sending = draft.send()
      await clock.pass(0)
      await sending
      draft.stop()
      server.mood = 'well'
      const next = fakeTab(server, clock)
      const again = next.open(tab.kept.get('d'))
      await clock.pass(1_000)
      assert.equal(again.state.peek(), 'due')
      assert.deepEqual(next.due, ['d'])
    })

    test('whose answer was lost is sent once: seen while it is due, and seen when it has gone out', async () => {
      for (const hasGoneOut of [false, true]) {
        server = fakeServer()
        tab = fakeTab(server, clock)
        draft = tab.open()
        draft.change({ body: 'Hello' })
        await clock.pass(1_000)
        server.mood = 'deaf'
        const sending = draft.send()
        await clock.pass(0)
        await sending
        if (hasGoneOut) server.sendDue()
        server.mood = 'well'
        await clock.pass(10_000)
        assert.equal(draft.state.peek(), hasGoneOut ? 'gone' : 'due')
        assert.equal(server.sent.length + server.drafts.size, 1)
        assert.deepEqual([tab.due, tab.refused, tab.kept.size], [['d'], [], 0])
      }
    })

    test('taken back while its answer is lost, it is taken back where it arrived', async () => {
      draft.change({ body: 'Hello' })
      await clock.pass(1_000)
      server.mood = 'deaf'
      const sending = draft.send()
      await clock.pass(0)
      await sending
      server.mood = 'away'
      const back = draft.takeBack()
      await clock.pass(0)
      await back
      draft.change({ body: 'Hello again' })
      server.mood = 'well'
      await clock.pass(20_000)
      assert.deepEqual([draft.state.peek(), onServer()?.due, onServer()?.body], ['saved', null, 'Hello again'])
    })

    test('what was refused after it had waited is said, and is a draft', async () => {
      server.mood = 'away'
      const sending = draft.send()
      await clock.pass(0)
      await sending
      server.mood = 'well'
      server.refusal = new Refusal(409, { code: 'mailbox_suspended', message: 'The mailbox is suspended.' })
      await clock.pass(20_000)
      assert.deepEqual(tab.refused, ['The mailbox is suspended.'])
      assert.equal(draft.queued.peek(), undefined)
    })
  })

  describe('and is discarded', () => {
    test('nothing of it stays, here or there', async () => {
      draft.change({ body: 'Hello' })
      await clock.pass(1_000)
      draft.change({ body: 'Hello, you' })
      const discarding = draft.discard()
      await clock.pass(0)
      await discarding
      assert.deepEqual([server.drafts.size, tab.kept.size, draft.state.peek()], [0, 0, 'gone'])
    })

    test('what the server never had is gone without asking it', async () => {
      draft.change({ body: 'Hello' })
      const discarding = draft.discard()
      await clock.pass(0)
      await discarding
      assert.deepEqual(server.asked, [])
      assert.equal(draft.state.peek(), 'gone')
    })

    test('while the server is away it is discarded once it is back', async () => {
      draft.change({ body: 'Hello' })
      await clock.pass(1_000)
      server.mood = 'away'
      const discarding = draft.discard()
      await clock.pass(0)
      await discarding
      server.mood = 'well'
      await clock.pass(20_000)
      assert.equal(server.drafts.size, 0)
    })
  })

  test('files are shown as long as the draft has them', async () => {
    const file = { id: 'a', filename: 'a.pdf', mediaType: 'application/pdf', sizeBytes: 1 }
    draft.attach(file)
    assert.deepEqual(draft.attachments.peek(), [file])
    draft.change({ attachmentIds: [] })
    assert.deepEqual(draft.attachments.peek(), [])
    assert.deepEqual(draft.content.peek(), EMPTY)
  })
})
