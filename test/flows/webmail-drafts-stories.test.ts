// Writing in the webmail when things go wrong, as somebody does in a real browser: nothing of what was written is lost, and what is
// sent is one mail.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { after, describe, test } from 'node:test'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { programOf, skipWithout } from '../../scripts/install-test-packages.ts'
import { setMailboxStatus } from '../../src/mailboxes/set-mailbox-status.ts'
import type { Draft, DraftRow } from '../../src/servers/webmail/draft-schemas.ts'
import { call, openTestStore, startTestApi } from '../support/api.ts'
import {
  assertLooksGood,
  DESK,
  FLAGS,
  keepInBrowser,
  LOOKS,
  nameOf,
  type OpenPage,
  settled,
  useBrowser,
} from '../support/browser.ts'
import { createTestDatabase } from '../support/database.ts'
import { draftOf, draftsOf, fallDue, tracesOf } from '../support/drafts.ts'
import { feedCaughtUp } from '../support/feed.ts'
import { freePort } from '../support/free-port.ts'
import { operatorOf } from '../support/operator.ts'
import type { TestUser } from '../support/people.ts'
import { createTestParts, TEST_SECRET_KEYS_TEXT } from '../support/role-parts.ts'
import { startService } from '../support/service.ts'
import { startTestSite } from '../support/site.ts'
import { startSmtpSink } from '../support/smtp-sink.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'
import { makePlace, type Place } from '../support/webmail-mail.ts'
import { startTestOutbound } from '../support/workers.ts'

const skip = skipWithout('chromium-headless-shell')
/** specification.md#drafts */
const KEPT_WITHIN_MS = 2_000
/** For so long that much of it is saved before it is at its end. */
const TYPED =
  ' This goes on and on, and nobody waits for a server while one writes to somebody, whatever becomes of it.'
const TYPED_EACH_MS = 50

describe('writing when things go wrong', { skip }, async () => {
  const { database, url: databaseUrl } = await createTestDatabase()
  const store = await openTestStore()
  const api = await startTestApi(database, { store })
  const site = await startTestSite('webmail', database, { store })
  const sink = await startSmtpSink()
  after(sink.stop)
  await startTestOutbound(database, { relayUrl: sink.url, store })
  const { saved, save, read, ask } = draftsOf(site)
  const open = useBrowser()

  async function openAs({ session }: TestUser, path: string, url = site.url, options = {}): Promise<OpenPage> {
    const opened = await open(url, { viewport: DESK, ...options })
    await keepInBrowser(opened.context, site, session)
    await opened.page.goto(path)
    await settled(opened.page)
    return opened
  }

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const body = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
  const says = (page: Page, words: string) => page.getByText(words).first().waitFor()

  async function write(page: Page, words: string, delay = 0): Promise<void> {
    await body(page).click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(words, { delay })
  }

  /** The heads of a new message, and how it begins. */
  async function begin(page: Page, subject: string, words: string): Promise<void> {
    await page.getByRole('combobox', { name: 'To', exact: true }).fill('grace@shop.example')
    await page.keyboard.press('Enter')
    await page.getByLabel('Subject').fill(subject)
    await write(page, words)
  }

  const draftsNow = async (user: TestUser): Promise<DraftRow[]> => (await ask(user, 'GET', '/data/drafts')).body.items

  /** Once it says so on the server. */
  async function stored(user: TestUser, subject: string, words: string): Promise<Draft> {
    return until(`${subject} says ${words}`, async () => {
      for (const row of await draftsNow(user)) {
        const draft: Draft = (await read(user, row.id)).body
        if (draft.subject === subject && draft.body.includes(words)) return draft
      }
      return undefined
    })
  }

  const mailsAbout = (subject: string) =>
    sink.mails.filter(({ bytes }) => bytes.toString().includes(`Subject: ${subject}`))

  /** Its time has come, and the relay has it once. */
  async function goesOutOnce({ tenant, user }: Place, id: string): Promise<void> {
    const draft: Draft = await until('it is due', async () => {
      const { body } = await read(user, id)
      return body.due ? body : undefined
    })
    await fallDue(database, draft.id)
    await until('it is sent', () => mailsAbout(draft.subject).length > 0)
    await feedCaughtUp(database)
    const { items } = (await call(api.url, 'GET', '/v1/events?type=message.queued', { key: tenant.key })).body
    assert.equal(items.filter(({ resourceId }: { resourceId: string }) => resourceId === draft.messageId).length, 1)
    assert.equal(mailsAbout(draft.subject).length, 1)
  }

  test('a draft is found again on another machine, as it was left', async () => {
    const place = await makePlace(database)
    const first = await openAs(place.user, '/compose')
    await begin(first.page, 'Begun here', 'Dear Grace')
    await stored(place.user, 'Begun here', 'Dear Grace')
    await first.context.close()
    const second = await openAs(place.user, '/drafts')
    await second.page.getByRole('link', { name: /Begun here/ }).click()
    await body(second.page).getByText('Dear Grace').waitFor()
    await second.page.getByText('grace@shop.example').first().waitFor()
    await write(second.page, ', hello')
    await stored(place.user, 'Begun here', 'Dear Grace, hello')
    assert.deepEqual([...first.complaints, ...second.complaints], [])
    await second.context.close()
  })

  test('sent and taken back it is open again with everything, leaves no event, and is edited and sent', async () => {
    const place = await makePlace(database)
    const { page, context, complaints } = await openAs(place.user, '/compose')
    await begin(page, 'Taken back', 'Too soon')
    await button(page, 'Send').click()
    await says(page, 'Sending…')
    const { id, messageId } = await stored(place.user, 'Taken back', 'Too soon')
    await button(page, 'Undo').click()
    await body(page).getByText('Too soon').waitFor()
    await until('it is a draft', async () => (await read(place.user, id)).body.due === null)
    await feedCaughtUp(database)
    const { items } = (await call(api.url, 'GET', '/v1/events', { key: place.tenant.key })).body
    assert.deepEqual(
      items.filter(({ resourceType }: { resourceType: string }) => resourceType === 'message'),
      [],
    )
    const none = { messages: 0, events: 0, jobs: 0, acts: 0 }
    assert.deepEqual(await tracesOf(database, place.tenant.tenantId, messageId), none)
    await write(page, ', not now')
    await stored(place.user, 'Taken back', 'not now')
    await button(page, 'Send').click()
    await says(page, 'Sending…')
    await goesOutOnce(place, id)
    await says(page, 'Sent.')
    await button(page, 'View message').click()
    await page.getByRole('heading', { level: 1, name: 'Taken back' }).waitFor()
    assert.match(page.url(), new RegExp(messageId))
    assert.deepEqual(
      complaints.filter((each) => !each.includes('404')),
      [],
    )
    await context.close()
  })

  test('a double click is one mail', async () => {
    const place = await makePlace(database)
    const { page, context } = await openAs(place.user, '/compose')
    await begin(page, 'Twice', 'Once')
    await button(page, 'Send').dblclick()
    await says(page, 'Sending…')
    const { id } = await stored(place.user, 'Twice', 'Once')
    await goesOutOnce(place, id)
    await context.close()
  })

  test('it is sent though the page is left at once', async () => {
    const place = await makePlace(database)
    const { page, context } = await openAs(place.user, '/compose')
    await begin(page, 'And gone', 'Bye')
    await button(page, 'Send').click()
    await says(page, 'Sending…')
    const { id } = await stored(place.user, 'And gone', 'Bye')
    await context.close()
    await goesOutOnce(place, id)
  })

  test('what could not be sent says why, and is a draft', async () => {
    const place = await makePlace(database)
    const { page, context } = await openAs(place.user, '/compose')
    await begin(page, 'Suspended', 'Hello')
    await button(page, 'Send').click()
    await says(page, 'Sending…')
    const { id } = await stored(place.user, 'Suspended', 'Hello')
    await setMailboxStatus(database, operatorOf(place.tenant.tenantId), place.tenant.mailboxId, 'suspended')
    await fallDue(database, id)
    await until('it failed', async () => (await read(place.user, id)).body.failure !== null)
    await says(page, '“Suspended” was not sent: ')
    await button(page, 'Open draft').click()
    await page.getByText('It was not sent:').waitFor()
    assert.equal(mailsAbout('Suspended').length, 0)
    await context.close()
  })

  test('sent later it shows with its time, and one may change one’s mind', async () => {
    const place = await makePlace(database)
    const { page, context, complaints } = await openAs(place.user, '/compose')
    await begin(page, 'Later', 'Good morning')
    await button(page, 'Send later').click()
    await page.getByRole('button', { name: /Tomorrow morning/ }).click()
    await says(page, 'It will be sent tomorrow at 08:00.')
    await page.goto('/drafts')
    await says(page, 'Will be sent tomorrow at 08:00')
    await button(page, 'Cancel sending Later').click()
    await button(page, 'Discard Later').waitFor()
    const { id } = await stored(place.user, 'Later', 'Good morning')
    await page.getByRole('link', { name: /Later/ }).click()
    await body(page).getByText('Good morning').waitFor()
    await button(page, 'Send').click()
    await says(page, 'Sending…')
    await goesOutOnce(place, id)
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('offline for a while nothing is lost, and what was sent meanwhile goes once', async () => {
    const place = await makePlace(database)
    const { page, context } = await openAs(place.user, '/compose')
    await begin(page, 'On the train', 'Before the tunnel')
    const { id } = await stored(place.user, 'On the train', 'Before the tunnel')
    await context.setOffline(true)
    await write(page, ', in the tunnel')
    await says(page, 'Offline, kept in this browser')
    await write(page, ', and on')
    await button(page, 'Send').click()
    await says(page, 'It is sent as soon as the service can be reached.')
    const { body: before } = await read(place.user, id)
    assert.deepEqual([before.due, before.body.includes('tunnel, in')], [null, false])
    await context.setOffline(false)
    await says(page, 'Sending…')
    await stored(place.user, 'On the train', 'Before the tunnel, in the tunnel, and on')
    await goesOutOnce(place, id)
    await context.close()
  })

  test('what waits for the connection can be taken back, and goes from the next page when this one ends', async () => {
    const place = await makePlace(database)
    const { page, context } = await openAs(place.user, '/compose')
    await begin(page, 'Queued', 'Hello')
    const { id } = await stored(place.user, 'Queued', 'Hello')
    await context.route('**/data/drafts/**', (route) => route.abort())
    await button(page, 'Send').click()
    await says(page, 'It is sent as soon as the service can be reached.')
    await button(page, 'Undo').click()
    await page.waitForURL(/compose\?draft=/)
    await body(page).getByText('Hello').waitFor()
    await button(page, 'Send').click()
    await says(page, 'It is sent as soon as the service can be reached.')
    await page.close()
    await context.unroute('**/data/drafts/**')
    assert.equal((await read(place.user, id)).body.due, null)
    const next = await context.newPage()
    await next.goto('/inbox')
    await says(next, 'Sending…')
    await goesOutOnce(place, id)
    await context.close()
  })

  test('of two tabs the later save is told of the other, and both texts can be kept', async () => {
    const place = await makePlace(database)
    const draft = await saved(
      place.user,
      draftOf(place.tenant.mailboxId, { subject: 'Shared', body: '<div>Both</div>' }),
    )
    const [one, two] = [
      await openAs(place.user, `/compose?draft=${draft.id}`),
      await openAs(place.user, `/compose?draft=${draft.id}`),
    ]
    for (const { page } of [one, two]) await body(page).getByText('Both').waitFor()
    await write(one.page, ' and mine')
    await stored(place.user, 'Shared', 'Both and mine')
    await write(two.page, ' and yours')
    await says(two.page, 'You, in another window,')
    await two.page.getByRole('textbox', { name: 'Text of theirs' }).waitFor()
    await button(two.page, 'Keep both').click()
    await stored(place.user, 'Shared', 'Both and yours')
    await stored(place.user, 'Shared', 'Both and mine')
    assert.equal((await draftsNow(place.user)).length, 2)
    await body(two.page).getByText('Both and mine').waitFor()
    await Promise.all([one.context.close(), two.context.close()])
  })

  for (const look of LOOKS) {
    test(`${nameOf(look)}: two versions of a draft, and what is being sent, fit and are in nobody's way`, async () => {
      const place = await makePlace(database)
      const content = draftOf(place.tenant.mailboxId, { subject: 'Looked at', body: '<div>Both</div>' })
      const draft = await saved(place.user, content)
      const { page, context } = await openAs(place.user, `/compose?draft=${draft.id}`, site.url, look)
      await body(page).getByText('Both').waitFor()
      await save(place.user, draft.id, { baseVersion: 1, ...content, body: `<div>Theirs</div>`.repeat(40) })
      await write(page, ' and mine')
      await page.getByRole('textbox', { name: 'Text of theirs' }).waitFor()
      await assertLooksGood(page, 'two versions', look)
      await button(page, 'Take theirs').click()
      await body(page).getByText('Theirs').first().waitFor()
      await button(page, 'Send').click()
      await says(page, 'Sending…')
      await assertLooksGood(page, 'sending', look)
      await context.close()
    })
  }

  test('a tab in which nothing is written follows another of its browser', async () => {
    const place = await makePlace(database)
    const draft = await saved(
      place.user,
      draftOf(place.tenant.mailboxId, { subject: 'Followed', body: '<div>A</div>' }),
    )
    const { page, context, complaints } = await openAs(place.user, `/compose?draft=${draft.id}`)
    const second = await context.newPage()
    await second.goto(`/compose?draft=${draft.id}`)
    await body(second).getByText('A').waitFor()
    await write(page, 'B')
    await body(second).getByText('AB').waitFor()
    await page.bringToFront()
    await write(page, 'C')
    await body(second).getByText('ABC').waitFor()
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('a server that goes away while one writes keeps what it answered, and has the rest once it is back', async () => {
    const place = await makePlace(database)
    const first = await startTestSite('webmail', database, { store })
    const { page, context } = await openAs(place.user, '/compose', first.url)
    await begin(page, 'Restarted', 'Before')
    await stored(place.user, 'Restarted', 'Before')
    const port = Number(new URL(first.listensAt).port)
    await first.stop()
    await write(page, ', meanwhile')
    await says(page, 'Offline, kept in this browser')
    const { webmail } = createTestParts(database).config
    await startTestSite('webmail', database, { store, config: { webmail: { ...webmail, port } } })
    await stored(place.user, 'Restarted', 'Before, meanwhile')
    await page.getByText('Saved', { exact: true }).waitFor()
    assert.equal((await draftsNow(place.user)).length, 1)
    await context.close()
  })

  test('a webmail process that is killed while one types loses nothing of it', async () => {
    const place = await makePlace(database)
    const folder = await temporaryFolder('webmail-killed-')
    after(() => rm(folder, { recursive: true, force: true }))
    const env = {
      ...{ MDK_DATABASE_URL: databaseUrl, MDK_OBJECT_STORE: `file:${folder}`, MDK_SECRET_KEYS: TEST_SECRET_KEYS_TEXT },
      MDK_WEBMAIL_PORT: String(await freePort()),
    }
    const start = () => startService(env, ['serve', '--roles', 'webmail'])
    const first = await start()
    const url = String(first.logs.find(({ msg }) => msg === 'ready')?.webmailUrl)
    const { page, context } = await openAs(place.user, '/compose', url)
    await begin(page, 'Process killed', 'Before.')
    await stored(place.user, 'Process killed', 'Before.')
    const typing = write(page, TYPED, TYPED_EACH_MS)
    await stored(place.user, 'Process killed', TYPED.slice(0, 10))
    await first.kill()
    await typing
    const typedAt = performance.now()
    await until('the browser keeps it', () => page.evaluate<boolean>(`(${KEEPS})(${JSON.stringify(TYPED)})`))
    assert(performance.now() - typedAt < KEPT_WITHIN_MS)
    assert(!(await stored(place.user, 'Process killed', 'Before.')).body.includes(TYPED), 'it was killed in the middle')
    await start()
    await stored(place.user, 'Process killed', `Before.${TYPED}`)
    await page.getByText('Saved', { exact: true }).waitFor()
    assert.equal((await draftsNow(place.user)).length, 1)
    await context.close()
  })

  test('a browser that is killed keeps what was typed up to two seconds before', async () => {
    const place = await makePlace(database)
    const profile = await temporaryFolder('webmail-profile-')
    after(() => rm(profile, { recursive: true, force: true }))
    const start = async (): Promise<BrowserContext> => {
      const options = { executablePath: programOf('chromium-headless-shell'), args: [...FLAGS], baseURL: site.url }
      return chromium.launchPersistentContext(profile, options)
    }
    const context = await start()
    await keepInBrowser(context, site, place.user.session)
    const page = await context.newPage()
    await page.goto('/compose')
    await begin(page, 'Killed', 'Saved')
    await stored(place.user, 'Killed', 'Saved')
    // The server hears nothing of what comes now.
    await context.route('**/data/drafts/**', (route) => route.abort())
    await write(page, ', and kept')
    const typedAt = performance.now()
    await until('the browser keeps it', () => page.evaluate<boolean>(`(${KEEPS})(', and kept')`))
    assert(performance.now() - typedAt < KEPT_WITHIN_MS)
    for (const pid of processesOf(profile)) process.kill(pid, 'SIGKILL')
    await until('the browser is gone', () => processesOf(profile).length === 0)
    const again = await start()
    await keepInBrowser(again, site, place.user.session)
    const next = await again.newPage()
    await next.goto('/inbox')
    await says(next, 'Unsaved changes of this browser were found: “Killed”.')
    await button(next, 'Open draft').click()
    await body(next).getByText('Saved, and kept').waitFor()
    await stored(place.user, 'Killed', 'Saved, and kept')
    await again.close()
  })
})

/** In the page: whether something that is kept says so. */
const KEEPS = `(words) => new Promise((resolve, reject) => {
  const request = indexedDB.open('webmail', 1)
  request.onerror = () => reject(request.error)
  request.onsuccess = () => {
    const all = request.result.transaction('unsaved').objectStore('unsaved').getAll()
    all.onsuccess = () => { request.result.close(); resolve(all.result.some(({ content }) => content.body.includes(words))) }
  }
})`

/** Those of the browser that was started with a profile. */
function processesOf(profile: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && commandOf(pid).includes(profile))
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
