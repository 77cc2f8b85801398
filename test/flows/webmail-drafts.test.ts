// The list of drafts, and what signs what is sent, as somebody sees them in a real browser.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import { sql } from '../../src/lib/sql.ts'
import { newId } from '../../src/lib/uuid.ts'
import {
  assertLooksGood,
  DESK,
  keepInBrowser,
  LOOKS,
  nameOf,
  type OpenPage,
  settled,
  useBrowser,
} from '../support/browser.ts'
import { createTestDatabase } from '../support/database.ts'
import { draftOf, draftsOf } from '../support/drafts.ts'
import type { TestUser } from '../support/people.ts'
import { startTestSite } from '../support/site.ts'
import { until } from '../support/until.ts'
import { makePlace, type Place } from '../support/webmail-mail.ts'

const skip = skipWithout('chromium-headless-shell')
/** What would run, were it not shown as the text that it is. */
const HOSTILE = `"><img src=x onerror=alert(1)><script>alert(2)</script> \u202e`

describe('drafts in the webmail', { skip }, async () => {
  const { database } = await createTestDatabase()
  const site = await startTestSite('webmail', database)
  const { saved, send, read, ask } = draftsOf(site)
  const open = useBrowser()

  async function openAs({ session }: TestUser, path: string, options = {}): Promise<OpenPage> {
    const opened = await open(site.url, { viewport: DESK, ...options })
    await keepInBrowser(opened.context, site, session)
    await opened.page.goto(path)
    await settled(opened.page)
    return opened
  }

  const rows = (page: Page) => page.getByRole('list', { name: 'Drafts' }).getByRole('listitem')
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

  /** One of each kind, the newest first: plain, scheduled, and one that could not be sent. */
  async function makeDrafts({ tenant, user }: Place) {
    const failed = await saved(user, draftOf(tenant.mailboxId, { subject: 'Refused' }))
    await database.rows(sql`
      update drafts set failure_code = 'plan_capacity_exceeded', failure_message = 'The plan’s capacity is used up.'
      where tenant_id = ${tenant.tenantId} and id = ${failed.id}`)
    const later = await saved(user, draftOf(tenant.mailboxId, { subject: 'For tomorrow' }))
    const sendAt = new Date(Date.now() + 26 * 3_600_000).toISOString()
    assert.equal((await send(user, later.id, { version: 1, sendAt })).status, 200)
    const plain = await saved(user, draftOf(tenant.mailboxId, { subject: HOSTILE, body: `<p>Half a</p>`, to: [] }))
    return { failed, later, plain, sendAt }
  }

  for (const look of LOOKS) {
    test(`${nameOf(look)}: what is written, what will be sent and what was not are told apart`, async () => {
      const place = await makePlace(database)
      await makeDrafts(place)
      const { page, context, complaints } = await openAs(place.user, '/drafts', look)
      assert.deepEqual(
        await rows(page).evaluateAll((all) =>
          all.map((row) => (row as { innerText: string }).innerText.split('\n')[0]),
        ),
        ['To nobody yet', 'To: ada@shop.example', 'To: ada@shop.example'],
      )
      await rows(page).nth(0).getByText('onerror=alert(1)').waitFor()
      await rows(page)
        .nth(1)
        .getByText('Will be sent tomorrow at')
        .or(rows(page).nth(1).getByText('Will be sent on'))
        .waitFor()
      await rows(page).nth(2).getByText('It was not sent: The plan’s capacity is used up.').waitFor()
      if (look.viewport === DESK) await page.getByRole('link', { name: 'Drafts 1 not sent' }).waitFor()
      await assertLooksGood(page, 'drafts', look)
      await button(page, 'Change time For tomorrow').click()
      await page.getByRole('dialog', { name: 'Change the time' }).getByLabel('Day').waitFor()
      await assertLooksGood(page, 'send later', look)
      await page.goto('/settings')
      await settled(page)
      await assertLooksGood(page, 'settings with names', look)
      assert.deepEqual(complaints, [])
      await context.close()
    })
  }

  test('where there is none it is said what will be there', async () => {
    const { user } = await makePlace(database)
    const { page, context } = await openAs(user, '/inbox')
    await page.getByRole('link', { name: 'Drafts', exact: true }).click()
    await page.getByRole('heading', { level: 2, name: 'No drafts' }).waitFor()
    await context.close()
  })

  test('one is discarded by its button or its key, and is there again by Undo', async () => {
    const place = await makePlace(database)
    const { tenant, user } = place
    for (const subject of ['First', 'Second', 'Third']) await saved(user, draftOf(tenant.mailboxId, { subject }))
    const { page, context, complaints } = await openAs(user, '/drafts')
    await button(page, 'Discard Second').click()
    await page.getByText('Draft discarded.').waitFor()
    await page.getByRole('link', { name: /Second/ }).waitFor({ state: 'detached' })
    await button(page, 'Undo').click()
    const again = page.getByRole('link', { name: /Second/ })
    await again.waitFor()
    await until('it is on the server again', async () => {
      const { body } = await ask(user, 'GET', '/data/drafts')
      return body.items.some(({ subject }: { subject: string }) => subject === 'Second')
    })
    await again.focus()
    await page.keyboard.press('j')
    await page.keyboard.press('#')
    await page.getByRole('link', { name: /Third/ }).waitFor({ state: 'detached' })
    await page.keyboard.press('z')
    await page.getByRole('link', { name: /Third/ }).waitFor()
    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await keys.getByText('Discard', { exact: true }).waitFor()
    assert.equal(await keys.getByText('Select', { exact: true }).count(), 0)
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('what will be sent gets another time, or is a draft again', async () => {
    const place = await makePlace(database)
    const { later } = await makeDrafts(place)
    const { page, context, complaints } = await openAs(place.user, '/drafts')
    await button(page, 'Change time For tomorrow').click()
    const dialog = page.getByRole('dialog', { name: 'Change the time' })
    await dialog.getByLabel('Day').fill('2020-01-01')
    await dialog.getByRole('button', { name: 'Send at this time' }).click()
    await dialog.getByRole('alert').filter({ hasText: 'still to come' }).waitFor()
    await dialog.getByRole('button', { name: /Tomorrow morning/ }).click()
    await dialog.waitFor({ state: 'detached' })
    const tomorrow = new Date()
    tomorrow.setDate(tomorrow.getDate() + 1)
    tomorrow.setHours(8, 0, 0, 0)
    const { due } = (await read(place.user, later.id)).body
    assert.deepEqual([new Date(due.at), due.isScheduled], [tomorrow, true])
    await button(page, 'Cancel sending For tomorrow').click()
    await button(page, 'Discard For tomorrow').waitFor()
    assert.equal((await read(place.user, later.id)).body.due, null)
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('another tab of the browser shows at once what this one discards', async () => {
    const place = await makePlace(database)
    await saved(place.user, draftOf(place.tenant.mailboxId, { subject: 'In two tabs' }))
    const { page, context } = await openAs(place.user, '/drafts')
    const second = await context.newPage()
    await second.goto('/drafts')
    await second.getByRole('link', { name: /In two tabs/ }).waitFor()
    await button(page, 'Discard In two tabs').click()
    await second.getByRole('link', { name: /In two tabs/ }).waitFor({ state: 'detached' })
    await context.close()
  })

  test('a name and a signature are kept for each mailbox', async () => {
    const place = await makePlace(database)
    const { page, context, complaints } = await openAs(place.user, '/settings')
    const card = page.getByRole('region', { name: place.tenant.address })
    await card.getByLabel('Name').fill('Ada Lovelace')
    await card.getByLabel('Signature').fill('Ada\nShop & Co <b>')
    await card.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    const { body } = await ask(place.user, 'GET', '/data/identities')
    assert.deepEqual(body.items, [
      {
        mailboxId: place.tenant.mailboxId,
        name: 'Ada Lovelace',
        signature: '<div>Ada</div><div>Shop &amp; Co &lt;b&gt;</div>',
      },
    ])
    await page.reload()
    await settled(page)
    assert.equal(await card.getByLabel('Signature').inputValue(), 'Ada\nShop & Co <b>')
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('text that an earlier page did not save is found, said, and saved', async () => {
    const place = await makePlace(database)
    const { page, context, complaints } = await openAs(place.user, '/inbox')
    const { user, tenant } = place
    const [lost, sent, others] = [newId(), newId(), newId()]
    const content = (subject: string) => draftOf(tenant.mailboxId, { subject })
    const initial = draftOf(tenant.mailboxId, { to: [], subject: '', body: '' })
    const kept = (draftId: string, subject: string, userId: string, wish: object | null) => ({
      ...{ draftId, tabId: newId(), userId, keptAtMs: Date.now(), stored: null, initial, attempt: null },
      ...{ attachments: [], content: content(subject), wish },
    })
    const wish = { kind: 'send', sendAt: null, isQueued: true, isInDoubt: false }
    await keep(page, [
      kept(lost, 'Lost', user.id, null),
      kept(sent, 'To be sent', user.id, wish),
      kept(others, 'Of somebody else', newId(), null),
    ])
    await page.goto('/drafts')
    await page.getByText('Unsaved changes of this browser were found: “Lost”.').waitFor()
    await page.getByRole('link', { name: /To be sent/ }).waitFor()
    await until('both are on the server', async () => {
      const answers = await Promise.all([lost, sent].map((id) => read(user, id)))
      return answers.every(({ status }) => status === 200) && answers[1]?.body.due !== null
    })
    assert.equal((await read(user, others)).status, 404)
    assert.equal(await page.getByText('Of somebody else').count(), 0)
    // And the browser has only what is not this user's.
    await until('the rest is forgotten', async () => (await page.evaluate<string[]>(KEPT)).join() === others)
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('who signs out leaves nothing in the browser, and is asked when something would be lost', async () => {
    const place = await makePlace(database)
    const { user, tenant } = place
    const draft = await saved(user, draftOf(tenant.mailboxId))
    const { page, context } = await openAs(user, '/inbox')
    const initial = draftOf(tenant.mailboxId)
    await keep(page, [
      {
        ...{ draftId: draft.id, tabId: newId(), userId: user.id, keptAtMs: 1, stored: null, initial, attempt: null },
        ...{ attachments: [], content: draftOf(tenant.mailboxId, { body: 'Mine' }), wish: null },
      },
    ])
    await page.goto('/drafts')
    await page.getByText('Two versions').waitFor()
    await button(page, 'Sign out').click()
    await page.getByText('signing out loses it').waitFor()
    assert.deepEqual(await page.evaluate(KEPT), [draft.id])
    await page.getByRole('status').getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(/\/sign-in/)
    assert.deepEqual(await page.evaluate(KEPT), [])
    await context.close()
  })
})

/** As a tab that is gone has left it. */
const keep = (page: Page, rows: readonly object[]) => page.evaluate<void>(`(${KEEP})(${JSON.stringify(rows)})`)

const KEEP = `(rows) => new Promise((resolve, reject) => {
  const request = indexedDB.open('webmail', 1)
  request.onerror = () => reject(request.error)
  request.onsuccess = () => {
    const transaction = request.result.transaction('unsaved', 'readwrite')
    for (const row of rows) transaction.objectStore('unsaved').put(row)
    transaction.oncomplete = () => { request.result.close(); resolve() }
  }
})`

/** Of which drafts something is kept. */
const KEPT = `new Promise((resolve, reject) => {
  const request = indexedDB.open('webmail', 1)
  request.onerror = () => reject(request.error)
  request.onsuccess = () => {
    const all = request.result.transaction('unsaved').objectStore('unsaved').getAll()
    all.onsuccess = () => { request.result.close(); resolve(all.result.map(({ draftId }) => draftId)) }
  }
})`
