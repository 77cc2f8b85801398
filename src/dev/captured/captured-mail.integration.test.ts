import assert from 'node:assert/strict'
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { originOf } from '../../../test/support/people.ts'
import { temporaryFolder } from '../../../test/support/temporary-folder.ts'
import type { Person } from '../../access/actor.ts'
import { newId } from '../../lib/uuid.ts'
import { createCapturedMail } from './captured-mail.ts'
import { type CapturedEnvelope, openMailFolder } from './mail-folder.ts'

const folder = await temporaryFolder('mdk-captured-')
const tenantId = newId()
const kept = await openMailFolder(join(folder, 'data', 'captured'))
const mail = createCapturedMail(kept, () => tenantId)
after(async () => {
  await mail.stop()
  await rm(folder, { recursive: true, force: true })
})

const envelope: CapturedEnvelope = {
  sender: '',
  recipients: ['ada@example.test'],
  capturedAt: '2026-01-05T10:00:00.000Z',
}
const octets = (subject: string) => Buffer.from(`Subject: ${subject}\r\n\r\nHello\r\n`)
const owner: Person = {
  ...{ kind: 'person', personId: newId(), tenantId, environmentId: tenantId, environment: 'production' },
  ...{ role: 'owner', signedInRecently: true, origin: originOf(1) },
}
const newest = { behind: undefined, limit: 50 }

test('nobody else of the machine reads what was captured, and half of a mail is none', async () => {
  assert.equal((await stat(join(folder, 'data', 'captured'))).mode & 0o077, 0)
  const id = await kept.keep(envelope, octets('whole'))
  await writeFile(join(folder, 'data', 'captured', `${newId()}.part`), 'Subject: ha')
  await writeFile(join(folder, 'data', 'captured', `${newId()}.json`), '{}')
  await mkdir(join(folder, 'data', 'captured', 'other.eml'))
  assert.deepEqual(await kept.list(), [id])
  assert.deepEqual(await kept.read(id), { envelope, octets: octets('whole') })
  assert.equal(await kept.read(newId()), undefined)
})

test('the Owner of the demo sees captured mail, and for everybody else there is none', async () => {
  const id = await kept.keep(envelope, octets('a link that signs in'))
  assert.equal((await mail.read(owner, id)).parsed.text, 'Hello\n')
  for (const other of [
    { ...owner, role: 'admin' as const },
    { ...owner, tenantId: newId() },
  ]) {
    await assert.rejects(mail.list(other, newest), { code: 'not_found' })
    await assert.rejects(mail.read(other, id), { code: 'not_found' })
    await assert.rejects(mail.open(other, id), { code: 'not_found' })
  }
  const beforeThereIsOne = createCapturedMail(kept, () => undefined)
  await assert.rejects(beforeThereIsOne.list(owner, newest), { code: 'not_found' })
})

test('pages go from the newest to the oldest, and give each mail once', async () => {
  const ids = await kept.list()
  ids.unshift(await kept.keep(envelope, octets('more')))
  const first = await mail.list(owner, { behind: undefined, limit: 2 })
  const second = await mail.list(owner, { behind: first.at(-1)?.id, limit: 50 })
  assert.deepEqual(
    [...first, ...second].map(({ id }) => id),
    ids,
  )
  assert.deepEqual(first[0], {
    ...{ id: ids[0], subject: 'more', from: null, recipients: envelope.recipients, hasAttachments: false },
    capturedAt: envelope.capturedAt,
  })
})

test('five hundred are kept, whoever captures at the same time, and older ones go with all that is theirs', async () => {
  const before = await kept.list()
  const rest = 500 - before.length
  for (let i = 0; i < rest; i++) await kept.keep(envelope, octets(`${i}`))
  assert.deepEqual((await kept.list()).slice(rest), before)
  await Promise.all([kept.keep(envelope, octets('one')), kept.keep(envelope, octets('two'))])
  const listed = await kept.list()
  assert.equal(listed.length, 500)
  const gone = before.slice(-2)
  for (const id of gone) assert(!listed.includes(id))
  const files = await readdir(join(folder, 'data', 'captured'))
  assert(!files.some((name) => gone.some((id) => name.startsWith(id))))
  assert.equal((await mail.list(owner, { behind: undefined, limit: 600 })).length, 500)
})

test('what cannot be read whole is shown as far as it can be', async () => {
  const deep = `Content-Type: multipart/mixed; boundary=b\r\n\r\n`.repeat(2_000)
  const id = await kept.keep(envelope, Buffer.from(`Subject: deep\r\n${deep}`))
  const [{ subject } = {}] = await mail.list(owner, newest)
  assert.equal(subject, 'deep')
  assert.equal((await mail.open(owner, id)).octets.length, 15 + deep.length)
})
