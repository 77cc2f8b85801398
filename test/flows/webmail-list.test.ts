// The lists of the webmail in a browser: found by its keys and by its mouse, of any length, and true while things happen.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import { type Database, sql } from '../../src/lib/sql.ts'
import type { Uuid } from '../../src/lib/uuid.ts'
import { addMailboxUser } from '../../src/mailboxes/add-mailbox-user.ts'
import { createMailbox } from '../../src/mailboxes/create-mailbox.ts'
import { removeMailboxUser } from '../../src/mailboxes/remove-mailbox-user.ts'
import { followAll } from '../support/activity.ts'
import { call, startTestApi } from '../support/api.ts'
import {
  assertLooksGood,
  barriersIn,
  DESK,
  keepInBrowser,
  LOOKS,
  nameOf,
  type OpenPage,
  PHONE,
  settled,
  useBrowser,
} from '../support/browser.ts'
import { createTestDatabase } from '../support/database.ts'
import { feedCaughtUp } from '../support/feed.ts'
import { writeMail } from '../support/mailbox-mail.ts'
import { operatorOf } from '../support/operator.ts'
import { writeReceived } from '../support/received-mail.ts'
import { startTestSite } from '../support/site.ts'
import { until } from '../support/until.ts'
import { makePlace, type Place } from '../support/webmail-mail.ts'

const skip = skipWithout('chromium-headless-shell')
interface FeedEvent {
  type: string
  resourceId: string
  data: { mailboxIds?: string[] }
}

const ADA = { address: 'ada@shop.example', name: 'Ada Lovelace' }

describe('the lists of the webmail in a browser', { skip }, async () => {
  const { database } = await createTestDatabase()
  const open = useBrowser()
  const site = await startTestSite('webmail', database)
  const api = await startTestApi(database)

  async function openAs({ user }: Place, path: string, options = {}): Promise<OpenPage> {
    const opened = await open(site.url, { viewport: DESK, ...options })
    await keepInBrowser(opened.context, site, user.session)
    await opened.page.goto(path)
    await settled(opened.page)
    return opened
  }

  for (const look of LOOKS) {
    test(`${nameOf(look)}: a list with all that it may show, its search and its shortcuts look good`, async () => {
      const place = await makePlace(database)
      await fill(database, place, 30)
      const opened = await openAs(place, '/inbox', look)
      const { page, complaints, context } = opened
      await assertLooksGood(page, '/inbox with mail', look)
      await page.getByRole('checkbox', { name: 'Select Message 28' }).click()
      await page.getByRole('checkbox', { name: 'Select Message 27' }).click()
      await assertLooksGood(page, '/inbox with some selected', look)
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
      await assertLooksGood(page, '/inbox shortcuts', look)
      await page.keyboard.press('Escape')
      await page.keyboard.press('/')
      await page.getByRole('searchbox', { name: 'Search mail' }).fill('from:nobody is:unread')
      await assertLooksGood(page, '/inbox search hints', look)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Nothing found' }).waitFor()
      await assertLooksGood(page, '/search with nothing', look)
      assert.deepEqual(complaints, [])
      await context.close()
    })
  }

  test('by keys alone: go through, open, choose, file, star, flag, undo and come back', async () => {
    const place = await makePlace(database)
    await fill(database, place, 8)
    const { page, context, complaints } = await openAs(place, '/inbox')
    const press = (key: string) => page.keyboard.press(key)
    await press('j')
    await focusIsOn(page, /Message 7/)
    await press('j')
    await focusIsOn(page, /Message 6/)
    await press('k')
    await press('o')
    await page.waitForURL(/\/message\/.*in=inbox/)
    await page.getByRole('heading', { level: 1, name: 'Message 7' }).waitFor()
    await press('j')
    await page.getByRole('heading', { level: 1, name: 'Message 6' }).waitFor()
    await press('e')
    await page.getByRole('heading', { level: 1, name: 'Message 5' }).waitFor()
    await page.getByText('Conversation archived.').waitFor()
    await row(page, 6).waitFor({ state: 'detached' })
    await press('z')
    await row(page, 6).waitFor()
    await press('u')
    await page.waitForURL(`${site.url}/inbox`)
    await focusIsOn(page, /Message 5/)
    await press('s')
    await page.getByRole('button', { name: 'Unstar Message 5', exact: true }).waitFor()
    await press('s')
    await page.getByRole('button', { name: 'Star Message 5', exact: true }).waitFor()
    await press('x')
    await press('j')
    await press('x')
    await page.getByText('2 selected').waitFor()
    await press('#')
    await page.getByText('2 conversations moved to the trash.').waitFor()
    await row(page, 5).waitFor({ state: 'detached' })
    await focusIsOn(page, /Message 3/)
    await press('Shift+I')
    await page.locator('li.unread').getByText('Message 3', { exact: true }).waitFor({ state: 'detached' })
    await press('Shift+U')
    await page.locator('li.unread').getByText('Message 3', { exact: true }).waitFor()
    await press('!')
    await page.getByText('Conversation marked as spam.').waitFor()
    await press('g')
    await press('t')
    await page.getByRole('heading', { level: 1, name: 'Sent' }).waitFor()
    await press('g')
    await press('i')
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
    assert.deepEqual(await foldersOf(database, place), {
      inbox: [0, 1, 2, 6, 7],
      spam: [3],
      trash: [4, 5],
    })
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('keys do nothing while somebody writes, with a modifier, or once they are turned off', async () => {
    const place = await makePlace(database)
    await fill(database, place, 3)
    const { page, context } = await openAs(place, '/inbox')
    await page.keyboard.press('j')
    await focusIsOn(page, /Message 2/)
    await page.keyboard.press('Control+e')
    await page.getByRole('searchbox').click()
    await page.keyboard.type('e#!js')
    assert.equal(await page.getByRole('searchbox').inputValue(), 'e#!js')
    await page.keyboard.press('Escape')
    await site.ask('PATCH', '/data/settings', { session: place.user.session, body: { shortcuts: false } })
    await page.reload()
    await settled(page)
    await page.getByRole('link', { name: /Message 2/ }).focus()
    for (const key of ['e', '#', '!', '?', 'x']) await page.keyboard.press(key)
    assert.equal(await page.getByRole('dialog').count(), 0)
    assert.deepEqual(await foldersOf(database, place), { inbox: [0, 1, 2] })
    await context.close()
  })

  test('Tab stops at one row, and a screen reader is told which of how many it is', async () => {
    const place = await makePlace(database)
    await fill(database, place, 120)
    const { page, context } = await openAs(place, '/inbox')
    await until('all are known', async () => (await page.locator('li[aria-setsize="120"]').count()) > 0)
    const first = page.getByRole('listitem').filter({ hasText: 'Message 119' })
    assert.equal(await first.getAttribute('aria-posinset'), '1')
    assert.match(
      await first.ariaSnapshot(),
      /checkbox "Select Message 119"[\s\S]*link "Unread\. Ada Lovelace Message 119/,
    )
    assert.match(await first.ariaSnapshot(), /button "Archive Message 119"[\s\S]*button "Star Message 119"/)
    const stops = await page.locator('.messages :is(a, button, input):not([tabindex="-1"])').count()
    assert(stops <= 6, `${stops} stops`)
    await context.close()
  })

  test('rows go at once, come back with words when that is refused, and what was done is undone by its button', async () => {
    const place = await makePlace(database)
    await fill(database, place, 4)
    const { page, context } = await openAs(place, '/inbox')
    let answer = (): void => {}
    await page.route('**/data/actions', async (route) => {
      await new Promise<void>((resolve) => {
        answer = resolve
      })
      await route.fulfill({ status: 503, json: { code: 'unavailable', message: 'Not now.', retryable: true } })
    })
    await row(page, 2).hover()
    await page.getByRole('button', { name: 'Trash Message 2', exact: true }).click()
    await row(page, 2).waitFor({ state: 'detached' })
    answer()
    await page.getByText('Not now.').waitFor()
    await row(page, 2).waitFor()
    await page.unroute('**/data/actions')
    await row(page, 1).hover()
    await page.getByRole('button', { name: 'Archive Message 1', exact: true }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone.').waitFor()
    await row(page, 1).waitFor()
    assert.deepEqual(await foldersOf(database, place), { inbox: [0, 1, 2, 3] })
    await context.close()
  })

  test('what is open is starred, archived and brought back by its buttons, and deleted for good once that was asked', async () => {
    const place = await makePlace(database)
    await fill(database, place, 3)
    const { page, context, complaints } = await openAs(place, '/inbox')
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    await row(page, 2).click()
    await page.getByRole('heading', { level: 1, name: 'Message 2' }).waitFor()
    await press('Star')
    await page.getByRole('button', { name: 'Unstar Message 2', exact: true }).waitFor()
    await press('Archive')
    await page.getByRole('heading', { level: 1, name: 'Message 1' }).waitFor()
    await press('Undo')
    await row(page, 2).waitFor()
    await press('Trash')
    await page.getByRole('heading', { level: 1, name: 'Message 0' }).waitFor()
    await row(page, 1).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Trash' }).click()
    await row(page, 1).click()
    await page.getByRole('heading', { level: 1, name: 'Message 1' }).waitFor()
    await press('Delete for good')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click()
    await page.getByText('1 message deleted for good.').waitFor()
    await page.getByRole('heading', { name: 'Trash is empty' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Undo', exact: true }).count(), 0)
    assert.deepEqual(await foldersOf(database, place), { inbox: [0, 2] })
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('what is opened is no longer unread in the list at once, whenever the server has marked it', async () => {
    const place = await makePlace(database)
    await fill(database, place, 2)
    await followAll(database)
    const { page, context } = await openAs(place, '/inbox')
    const unread = page.locator('li.unread')
    let answer = (): void => {}
    const asked = new Promise<void>((resolve) => {
      void page.route('**/data/actions', async (route) => {
        resolve()
        await new Promise<void>((go) => {
          answer = go
        })
        await route.continue()
      })
    })
    await row(page, 1).click()
    await asked
    await unread.getByText('Message 1', { exact: true }).waitFor({ state: 'detached' })
    await until('what is new is in the title', async () => (await page.title()) === '(2) Message 1 · Webmail')
    answer()
    await until('what is read is not', async () => (await page.title()) === '(1) Message 1 · Webmail')
    assert.equal(await unread.count(), 1)
    await context.close()
  })

  test('whoever acts by buttons and the keyboard goes on at the next row, and names turn around nothing in a list', async () => {
    const place = await makePlace(database)
    await fill(database, place, 5)
    await database.transaction((tx) =>
      writeReceived(tx, place.tenant.tenantId, {
        mailboxIds: [place.tenant.mailboxId],
        from: { address: 'eve@x.example', name: '\u202eevE' },
        subject: 'Invoice \u202egnp.exe',
        preview: '\u2066Open it',
      }),
    )
    const { page, context } = await openAs(place, '/inbox')
    await page.getByRole('link', { name: 'Unread. evE Invoice gnp.exe Open it' }).waitFor()
    const act = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).focus()
      await page.keyboard.press('Enter')
    }
    await act('Archive Message 4')
    await focusIsOn(page, /Message 3/)
    await page.getByRole('checkbox', { name: 'Select Message 3' }).focus()
    await page.keyboard.press('Space')
    await act('Trash')
    await focusIsOn(page, /Message 2/)
    await followAll(database)
    await page.getByRole('link', { name: /^Trash/ }).click()
    await row(page, 3).waitFor()
    await act('Empty trash')
    await page.getByRole('dialog').getByRole('button', { name: 'Empty trash' }).click()
    await page.getByRole('heading', { name: 'Trash is empty' }).waitFor()
    await until('the page has the focus', () => page.evaluate<boolean>("document.activeElement.id === 'main'"))
    await context.close()
  })

  test('all of a folder is filed in batches, also what was never shown, and the trash is emptied after it was asked', async () => {
    const place = await makePlace(database)
    await fill(database, place, 620)
    await followAll(database)
    const { page, context } = await openAs(place, '/inbox')
    await page.getByRole('checkbox', { name: 'Select all shown' }).click()
    await page.getByRole('button', { name: 'Select all 620 in Inbox' }).click()
    await page.getByText('620 selected').waitFor()
    await page.getByRole('button', { name: 'Trash', exact: true }).click()
    await page.getByText('620 messages moved to the trash.').waitFor()
    await page.getByRole('heading', { name: 'Inbox is empty' }).waitFor()
    await followAll(database)
    await page.goto('/trash')
    await page.getByRole('button', { name: 'Empty trash' }).click()
    const dialog = page.getByRole('dialog', { name: 'Empty the trash?' })
    await dialog.getByText('620 messages in the trash are gone').waitFor()
    assert.deepEqual(await barriersIn(page), [])
    await dialog.getByRole('button', { name: 'Empty trash' }).click()
    await page.getByText('620 messages deleted for good.').waitFor()
    await page.getByRole('heading', { name: 'Trash is empty' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0)
    const { tenant } = place
    await feedCaughtUp(database)
    const deleted = await deletedInFeed(tenant.key)
    assert.equal(deleted.length, 620)
    assert.equal(new Set(deleted.map(({ resourceId }) => resourceId)).size, 620)
    for (const { data } of deleted) assert.deepEqual(data.mailboxIds, [tenant.mailboxId])
    await context.close()
  })

  /** What programs read of it, from the beginning of the feed. */
  async function deletedInFeed(key: string): Promise<FeedEvent[]> {
    const events: FeedEvent[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const at: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const { status, body } = await call(api.url, 'GET', `/v1/events?limit=100${at}`, { key })
      assert.equal(status, 200, JSON.stringify(body))
      events.push(...body.items)
      cursor = body.nextCursor
    }
    return events.filter(({ type }) => type === 'message.deleted')
  }

  test('a year-old mail is found by a word of its text and a day, among all that came since, and opened', async () => {
    const place = await makePlace(database)
    const { tenantId, mailboxId } = place.tenant
    const lease = { subject: 'Our first office', text: 'The lease is signed.', createdAt: '2025-11-01T12:00:00Z' }
    await writeMail(database, tenantId, [{ mailboxIds: [mailboxId], ...lease }])
    await writeMail(database, tenantId, [
      { mailboxIds: [mailboxId], subject: 'Our next office', text: 'A lease, again.' },
    ])
    await fill(database, place, 60)
    await followAll(database)
    const { page, complaints, context } = await openAs(place, '/inbox')
    await page.keyboard.press('/')
    await page.keyboard.type('lease before:2026-01-01')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: /Our first office/ }).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('q'), 'lease before:2026-01-01')
    assert.equal(await page.getByRole('link', { name: /Our next office/ }).count(), 0)
    await page.getByRole('link', { name: /Our first office/ }).click()
    await page.getByText('The lease is signed.').waitFor()
    await page.goBack()
    await page.getByRole('link', { name: /Our first office/ }).waitFor()
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('new mail shows in every tab, in the title too, and moves nothing that one reads', async () => {
    const place = await makePlace(database)
    await fill(database, place, 60)
    const { page, context } = await openAs(place, '/inbox')
    const second = await context.newPage()
    await second.goto('/inbox')
    await settled(second)
    await page.locator('.scroller').evaluate((element) => {
      element.scrollTop = 1_600
    })
    await row(page, 38).waitFor()
    const place38 = async () => (await row(page, 38).boundingBox())?.y
    const before = await place38()
    await fill(database, place, 3, 1_000)
    await followAll(database)
    await second.getByRole('link', { name: /Message 1002/ }).waitFor()
    await page.getByRole('button', { name: '3 new' }).waitFor()
    assert.equal(await place38(), before)
    await until('it is in the title', async () => (await page.title()) === '(63) Inbox · Webmail')
    await page.getByRole('button', { name: '3 new' }).click()
    await focusIsOn(page, /Message 1002/)
    assert.equal(await page.getByRole('button', { name: '3 new' }).count(), 0)
    await context.close()
  })

  test('a thousand rows are scrolled through without a gap, the page holds few of them, and one comes back to where one was', async () => {
    const place = await makePlace(database)
    await fill(database, place, 1_000)
    const { page, context, complaints } = await openAs(place, '/inbox')
    const gaps = await page.evaluate<{ frames: number; gaps: number; most: number; end: string }>(SCROLL_TO_END)
    assert.equal(gaps.gaps, 0, JSON.stringify(gaps))
    assert(gaps.most < 80, `${gaps.most} rows in the page`)
    assert.match(gaps.end, /Message 0/)
    await row(page, 3).click()
    await page.getByRole('heading', { level: 1, name: 'Message 3' }).waitFor()
    await page.getByRole('link', { name: 'Sent' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sent' }).waitFor()
    await page.getByRole('link', { name: 'Inbox' }).click()
    await row(page, 3).waitFor()
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('a held key goes on with each repetition, and drops none', async () => {
    const place = await makePlace(database)
    await fill(database, place, 200)
    const { page, context } = await openAs(place, '/inbox')
    await page.keyboard.press('j')
    for (let i = 0; i < 90; i++) await page.keyboard.down('j')
    await page.keyboard.up('j')
    await focusIsOn(page, /Message 109\D/)
    await page.keyboard.press('o')
    await page.getByRole('heading', { level: 1, name: 'Message 109' }).waitFor()
    for (let i = 0; i < 30; i++) await page.keyboard.down('k')
    await page.keyboard.up('k')
    await page.getByRole('heading', { level: 1, name: 'Message 139' }).waitFor()
    await context.close()
  })

  test('a burst of changes costs a few requests', async () => {
    const place = await makePlace(database)
    await fill(database, place, 10)
    const { page, context } = await openAs(place, '/inbox')
    let asked = 0
    page.on('request', (request) => {
      if (request.url().includes('/data/')) asked++
    })
    const began = performance.now()
    for (let i = 0; i < 5; i++) await fill(database, place, 100, 100 + i * 100)
    await page.getByRole('link', { name: /Message 599/ }).waitFor()
    // Of 500 changes: a few at once, and then a list with its counts every 0.6 s.
    const most = 20 + 2 * Math.ceil((performance.now() - began) / 600)
    assert(asked <= most, `${asked} requests, ${most} at most`)
    await context.close()
  })

  test('a subject of any length leaves in sight what may be done', async () => {
    const place = await makePlace(database)
    const mail = {
      mailboxIds: [place.tenant.mailboxId],
      from: ADA,
      subject: `Message 1 ${'W'.repeat(900)}`,
      preview: '',
    }
    await database.transaction((tx) => writeReceived(tx, place.tenant.tenantId, mail))
    const { page, context } = await openAs(place, '/inbox', { viewport: PHONE })
    await row(page, 1).click()
    await page.getByRole('heading', { level: 1, name: mail.subject }).waitFor()
    const trash = await page.getByRole('button', { name: 'Trash', exact: true }).boundingBox()
    assert(trash && trash.y + trash.height < PHONE.height / 2, JSON.stringify(trash))
    assert.equal(await page.locator('h1').getAttribute('title'), mail.subject)
    await context.close()
  })

  test('whatever is typed behind / is what is looked for, also where the list did not show', async () => {
    const place = await makePlace(database)
    await fill(database, place, 2)
    const KEYS = `for (const key of ['/', 'e', 'j']) (document.activeElement ?? document.body)
      .dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))`
    for (const viewport of [DESK, PHONE]) {
      const { page, context } = await openAs(place, '/inbox', { viewport })
      const field = page.getByRole('searchbox', { name: 'Search mail' })
      // The keys behind it come at once: a list that shows has the field take them.
      if (viewport === DESK) {
        await page.keyboard.press('j')
        await page.evaluate(KEYS)
      } else {
        await row(page, 1).click()
        await page.getByRole('heading', { level: 1, name: 'Message 1' }).waitFor()
        await page.keyboard.press('/')
      }
      await page.keyboard.type('e!#jx')
      assert.equal(await field.inputValue(), 'e!#jx')
      await page.keyboard.press('Enter')
      await page.waitForURL(/\/search\?q=e/)
      await context.close()
    }
    assert.deepEqual(await foldersOf(database, place), { inbox: [0, 1] })
  })

  test('what could not be reached shows once there is a network again, without being asked for', async () => {
    const place = await makePlace(database)
    await fill(database, place, 3)
    const { page, context } = await openAs(place, '/inbox')
    await context.setOffline(true)
    await row(page, 1).click()
    await page.getByRole('heading', { name: 'This did not load' }).waitFor()
    await context.setOffline(false)
    await page.getByRole('heading', { level: 1, name: 'Message 1' }).waitFor()
    await page.getByText('This did not load').waitFor({ state: 'detached' })
    await context.close()
  })

  test('on a phone a message takes the place of the list, and filing it leads back', async () => {
    const place = await makePlace(database)
    await fill(database, place, 3)
    const { page, context } = await openAs(place, '/inbox', { viewport: PHONE })
    await row(page, 2).click()
    await page.getByRole('heading', { level: 1, name: 'Message 2' }).waitFor()
    assert.equal(await row(page, 1).isVisible(), false)
    await page.keyboard.press('e')
    await page.waitForURL(`${site.url}/inbox`)
    await row(page, 1).waitFor()
    await row(page, 2).waitFor({ state: 'detached' })
    await context.close()
  })

  test('for fingers all that may be done with a row is behind one button', async () => {
    const place = await makePlace(database)
    await fill(database, place, 3)
    const { page, context, complaints } = await openAs(place, '/inbox', {
      viewport: PHONE,
      hasTouch: true,
      isMobile: true,
    })
    assert.equal(await page.getByRole('button', { name: 'Archive Message 2' }).count(), 0)
    await page.getByRole('button', { name: 'Star Message 2' }).waitFor()
    const asks = async (n: number) => {
      await page.getByRole('button', { name: `More for Message ${n}` }).tap()
      return page.getByRole('dialog', { name: `Message ${n}` })
    }
    const first = await asks(2)
    assert.deepEqual(await first.getByRole('button').allTextContents(), [
      '',
      'Archive',
      'Trash',
      'Spam',
      'Mark as read',
    ])
    assert.deepEqual(await barriersIn(page), [])
    await first.getByRole('button', { name: 'Mark as read' }).tap()
    await page.locator('li.unread').getByText('Message 2', { exact: true }).waitFor({ state: 'detached' })
    await (await asks(1)).getByRole('button', { name: 'Close' }).tap()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await (await asks(1)).getByRole('button', { name: 'Archive' }).tap()
    await page.getByText('Conversation archived.').waitFor()
    await row(page, 1).waitFor({ state: 'detached' })
    await page.goto('/archive')
    await (await asks(1)).getByRole('button', { name: 'Move to inbox' }).tap()
    await row(page, 1).waitFor({ state: 'detached' })
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('a mailbox that is none, somebody else’s or no more the user’s is said so, and leads to the inbox', async () => {
    const [place, others] = [await makePlace(database), await makePlace(database)]
    await fill(database, place, 1)
    const { page, context, complaints } = await openAs(place, '/inbox?mailbox=nope')
    for (const at of ['/inbox?mailbox=nope', `/trash?mailbox=${others.tenant.mailboxId}`, '/search?q=x&mailbox=nope']) {
      await page.goto(at)
      await page.getByRole('heading', { name: 'This mailbox is not here' }).waitFor()
      assert.deepEqual(await barriersIn(page), [])
      await page.getByRole('link', { name: 'Show the inbox of your mailboxes' }).click()
      await row(page, 0).waitFor()
    }
    const [message] = await database.rows(
      sql<{ id: Uuid }>`select id from messages where tenant_id = ${place.tenant.tenantId}`,
    )
    await page.goto(`/message/${message?.id}?in=inbox&mailbox=nope`)
    await page.getByRole('heading', { name: 'This message is not here' }).waitFor()
    await context.close()
    assert.deepEqual(
      complaints.filter((words) => !words.includes('status of 400')),
      [],
    )
  })

  test('a user of several mailboxes sees all of them or one, and files nothing where they may only read', async () => {
    const place = await makePlace(database)
    const actor = operatorOf(place.tenant.tenantId)
    const address = `b@${place.tenant.address.split('@')[1]}`
    const second = await createMailbox(database, actor, { address, displayName: 'B' })
    await addMailboxUser(database, actor, { mailboxId: second.id, login: place.user.login, access: 'read' })
    await fill(database, place, 1)
    await fill(database, place, 1, 50, second.id)
    const { page, context } = await openAs(place, '/inbox')
    await row(page, 50).waitFor()
    await page.getByRole('checkbox', { name: 'Select Message 0' }).waitFor()
    assert.equal(await page.getByRole('checkbox', { name: 'Select Message 50' }).count(), 0)
    await page.keyboard.press('j')
    await page.keyboard.press('e')
    await page.getByLabel('Mailbox').selectOption({ label: address })
    await page.waitForURL(`${site.url}/inbox?mailbox=${second.id}`)
    await row(page, 0).waitFor({ state: 'detached' })
    await row(page, 50).waitFor()
    assert.equal(await page.getByRole('checkbox').count(), 0)
    await page.getByLabel('Mailbox').selectOption({ label: 'All mailboxes' })
    await row(page, 50).waitFor()
    await removeMailboxUser(database, actor, { mailboxId: second.id, userId: place.user.id })
    await row(page, 50).waitFor({ state: 'detached' })
    await context.close()
  })
})

const row = (page: Page, n: number) =>
  page.locator('.messages').getByRole('link', { name: new RegExp(`Message ${n}\\b`) })

async function focusIsOn(page: Page, name: RegExp): Promise<void> {
  await until(`the focus is on ${name}`, async () =>
    name.test(await page.evaluate<string>('document.activeElement.textContent')),
  )
}

/** Numbered, each a conversation of its own, one after another. */
async function fill(
  database: Database,
  { tenant }: Place,
  count: number,
  from = 0,
  mailboxId: Uuid = tenant.mailboxId,
) {
  await database.transaction(async (tx) => {
    for (let n = from; n < from + count; n++) {
      const mail = {
        mailboxIds: [mailboxId],
        from: ADA,
        subject: `Message ${n}`,
        preview: `What message ${n} begins with`,
      }
      await writeReceived(tx, tenant.tenantId, mail)
    }
  })
}

/** Which numbers lie where. */
async function foldersOf(database: Database, { tenant }: Place): Promise<Record<string, number[]>> {
  const rows = await database.rows(sql<{ folder: string; subject: string }>`
    select e.folder, m.subject from message_entries e join messages m on m.tenant_id = e.tenant_id and m.id = e.message_id
    where e.tenant_id = ${tenant.tenantId} order by 1, 2`)
  const folders: Record<string, number[]> = {}
  for (const { folder, subject } of rows) {
    folders[folder] ??= []
    folders[folder].push(Number(subject.slice('Message '.length)))
  }
  return folders
}

/** Runs in the page: scrolls a screen's height with each few frames, and looks whether a row is in the middle of the list. */
const SCROLL_TO_END = `(async () => {
  const scroller = document.querySelector('.scroller')
  const frame = () => new Promise(requestAnimationFrame)
  const { left, top, width, height } = scroller.getBoundingClientRect()
  let [frames, gaps, most, still] = [0, 0, 0, 0]
  while (still < 60) {
    const before = scroller.scrollTop
    scroller.scrollTop += 300
    await frame()
    frames++
    still = scroller.scrollTop === before ? still + 1 : 0
    for (const part of [0.1, 0.5, 0.9]) {
      const row = document.elementFromPoint(left + width / 2, top + height * part)?.closest('li')
      if (!row || row.hasAttribute('aria-busy')) gaps++
    }
    most = Math.max(most, scroller.querySelectorAll('li').length)
  }
  return { frames, gaps, most, end: scroller.textContent }
})()`
