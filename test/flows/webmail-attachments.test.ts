// The files of a message in the webmail: one, to look at, and all as an archive.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { attachmentKey } from '../../src/attachments/attachment-key.ts'
import { type ObjectStore, objectKey } from '../../src/lib/object-store.ts'
import { sql } from '../../src/lib/sql.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { openTestStore } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { startTestInbound } from '../support/inbound.ts'
import type { TestUser } from '../support/people.ts'
import { startTestSite } from '../support/site.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'
import { makePlace, type Place, PNG, part, receive, withFiles } from '../support/webmail-mail.ts'

const { database } = await createTestDatabase()
const plain = await openTestStore()
/** Files that are being read. */
const reading = new Set<Readable>()
const store: ObjectStore = {
  ...plain,
  async get(key, range) {
    const bytes = await plain.get(key, range)
    if (bytes) reading.add(bytes.once('close', () => reading.delete(bytes)))
    return bytes
  },
}
const inbound = await startTestInbound(database, { store: plain })
const site = await startTestSite('webmail', database, { store })
const MIB = 1024 * 1024
const run = promisify(execFile)

const ask = (user: TestUser, path: string) => site.ask('GET', path, { session: user.session })
const cookieOf = (user: TestUser) => `__Host-mdk_webmail=${user.session.cookie}`

/** The octets as they are. */
async function octetsOf(user: TestUser, path: string): Promise<{ answer: Response; octets: Buffer }> {
  const answer = await fetch(`${site.listensAt}${path}`, {
    headers: { cookie: cookieOf(user), 'sec-fetch-site': 'same-origin' },
  })
  return { answer, octets: Buffer.from(await answer.arrayBuffer()) }
}

const file = (name: string, type: string, bytes: Buffer | string) =>
  part(`Content-Type: ${type}\r\nContent-Disposition: attachment; filename="${name}"`, bytes)

interface Sent extends Place {
  id: Uuid
  files: { id: Uuid; filename: string; preview: string | null }[]
}

async function receiveFiles(...files: string[]): Promise<Sent> {
  const place = await makePlace(database)
  const id = await receive(database, inbound.port, place, withFiles('<p>See the files', ...files))
  const { body } = await ask(place.user, `/data/messages/${id}`)
  return { ...place, id, files: body.attachments }
}

const pathOf = ({ id, files }: Sent, i: number) => `/data/messages/${id}/attachments/${files[i]?.id}`

test('a file is downloaded as it came, and never shown as what it says it is', async () => {
  const page = '<script>alert(1)</script>'
  const mail = await receiveFiles(file('=?utf-8?q?caf=C3=A9=E2=80=AE=2Ehtml?=', 'text/html', page))
  const { answer, octets } = await octetsOf(mail.user, pathOf(mail, 0))
  assert.equal(answer.status, 200)
  assert.equal(octets.toString(), page)
  assert.match(
    answer.headers.get('content-disposition') ?? '',
    /^attachment; filename="[^"]+"; filename\*=UTF-8''caf%C3%A9/,
  )
  assert.equal(answer.headers.get('content-security-policy'), "sandbox; default-src 'none'")
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
  const [other, another] = [await receiveFiles(file('a.txt', 'text/plain', 'a')), await makePlace(database)]
  const paths = [pathOf(mail, 0), `${pathOf(mail, 0)}/preview`, `/data/messages/${mail.id}/attachments.zip`]
  for (const path of paths) {
    assert.equal((await ask(another.user, path)).status, 404, path)
    assert.equal((await ask(other.user, path)).status, 404, path)
    assert.equal((await site.ask('GET', path)).status, 401, path)
  }
  // A file of another message is none of this one.
  const crossed = `/data/messages/${mail.id}/attachments/${other.files[0]?.id}`
  assert.equal((await ask(mail.user, crossed)).status, 404)
  assert.equal((await ask(mail.user, `/data/messages/${mail.id}/attachments/${newId()}/preview`)).status, 404)
})

test('an image is shown by what it is; whatever only says so is not', async () => {
  const mail = await receiveFiles(
    file('a.png', 'image/png', PNG),
    file('b.jpg', 'application/octet-stream', PNG),
    file('c.png', 'image/png', '<svg xmlns="http://www.w3.org/2000/svg"/>'),
    file('d.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'),
    file('e.pdf', 'application/pdf', '%PDF-1.7'),
    file('f.zip', 'application/zip', 'PK'),
  )
  assert.deepEqual(
    mail.files.map(({ preview }) => preview),
    ['image', 'image', 'image', null, 'pdf', null],
  )
  for (const i of [0, 1]) {
    const { answer, octets } = await octetsOf(mail.user, `${pathOf(mail, i)}/preview`)
    assert.equal(answer.headers.get('content-type'), 'image/png')
    assert.deepEqual(octets, PNG)
  }
  for (const i of [2, 3, 5]) assert.equal((await ask(mail.user, `${pathOf(mail, i)}/preview`)).status, 404)
  assert.equal(reading.size, 0)
})

test('a PDF file is handed out to be looked at by how it begins, up to 25 MiB', async () => {
  const mail = await receiveFiles(
    file('a.pdf', 'application/pdf', '%PDF-1.7\nWords'),
    file('b.PDF', 'application/octet-stream', `${'x'.repeat(1_019)}%PDF-1.4`),
    file('c.pdf', 'application/x-pdf; name=c.pdf', `${'x'.repeat(1_020)}%PDF-1.4`),
    file('d.pdf', 'application/pdf', '<script>alert(1)</script>'),
    file('e.pdf', 'text/plain', '%PDF-1.7'),
  )
  assert.deepEqual(
    mail.files.map(({ preview }) => preview),
    ['pdf', 'pdf', 'pdf', 'pdf', 'text'],
  )
  const { answer, octets } = await octetsOf(mail.user, `${pathOf(mail, 0)}/preview`)
  assert.equal(answer.headers.get('content-type'), 'application/pdf')
  assert.match(answer.headers.get('content-disposition') ?? '', /^attachment;/)
  assert.equal(octets.toString(), '%PDF-1.7\nWords')
  assert.equal((await octetsOf(mail.user, `${pathOf(mail, 1)}/preview`)).octets.length, 1_027)
  for (const i of [2, 3]) assert.equal((await ask(mail.user, `${pathOf(mail, i)}/preview`)).status, 404)
  const id = mail.files[0]?.id as Uuid
  const { tenantId } = mail.tenant
  const grow = (bytes: number) =>
    database.rows(sql`update attachments set size_bytes = ${bytes} where tenant_id = ${tenantId} and id = ${id}`)
  await plain.put(attachmentKey(tenantId, id), Buffer.alloc(25 * MIB, '%PDF-1.7 '))
  await grow(25 * MIB)
  assert.equal((await octetsOf(mail.user, `${pathOf(mail, 0)}/preview`)).octets.length, 25 * MIB)
  await grow(25 * MIB + 1)
  const refused = await ask(mail.user, `${pathOf(mail, 0)}/preview`)
  assert.equal(refused.status, 404)
  assert.match(refused.body.message, /too large to be shown/)
  assert.equal(reading.size, 0)
})

test('what shows PDF files is a page without an origin that may run one script, and is made when it is first asked for', async () => {
  const origin = site.url
  const get = (path: string) => fetch(`${site.listensAt}${path}`, { redirect: 'manual' })
  assert.equal((await get('/assets/pdf-reader-AAAAAAAA.js')).status, 404)
  const page = await get('/pdf-frame')
  const [, script] = (await page.text()).match(/<script src="([^"]+)" defer>/) ?? []
  assert.match(script ?? '', /\/assets\/pdf-frame-[A-Z0-9]{8}\.js$/)
  assert.equal(
    page.headers.get('content-security-policy'),
    `sandbox allow-scripts; default-src 'none'; script-src ${script}; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors ${origin}`,
  )
  const asset = await get(new URL(script ?? '', origin).pathname)
  assert.equal(asset.headers.get('cross-origin-resource-policy'), 'cross-origin')
  const reader = await get('/pdf-reader')
  assert.equal(reader.status, 303)
  const { status, headers } = await get(reader.headers.get('location') ?? '')
  assert.equal(status, 200)
  assert.match(headers.get('cache-control') ?? '', /immutable/)
})

const KIB_256 = 256 * 1024
const TEXTS: readonly (readonly [what: string, type: string, bytes: Buffer, text: string, isCut: boolean])[] = [
  ['UTF-8', 'text/plain; charset=utf-8', Buffer.from('Grüße'), 'Grüße', false],
  ['the charset that is named', 'text/csv; charset=koi8-r', Buffer.from([0xf0, 0xd2, 0xc9]), 'При', false],
  ['none that is named', 'application/json', Buffer.from('{"a":"ü"}'), '{"a":"ü"}', false],
  ['one that nobody knows', 'text/x-log; charset=x-odd', Buffer.from('caf\xe9', 'latin1'), 'café', false],
  ['UTF-16 by its mark', 'text/plain; charset=utf-8', Buffer.from('\ufeffWörter', 'utf16le'), 'Wörter', false],
  ['HTML as its source', 'text/html', Buffer.from('<script>alert(1)</script>'), '<script>alert(1)</script>', false],
  ['nothing', 'text/plain', Buffer.from(' '), ' ', false],
  ['as much as is shown', 'text/plain', Buffer.alloc(KIB_256, 'a'), 'a'.repeat(KIB_256), false],
  ['an octet more', 'text/plain', Buffer.alloc(KIB_256 + 1, 'a'), 'a'.repeat(KIB_256), true],
  [
    'cut within a character',
    'text/plain',
    Buffer.from(`a${'ü'.repeat(KIB_256)}`),
    `a${'ü'.repeat(KIB_256 / 2 - 1)}`,
    true,
  ],
]

test('a text is shown by its charset, up to 256 KiB, as JSON and nothing else', async () => {
  const mail = await receiveFiles(...TEXTS.map(([, type, bytes], i) => file(`${i}.txt`, type, bytes)))
  for (const [i, [what, , , text, isCut]] of TEXTS.entries()) {
    const answer = await ask(mail.user, `${pathOf(mail, i)}/preview`)
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/, what)
    assert.deepEqual(answer.body, { text, isCut }, what)
  }
})

/** What an unpacker of somebody else's finds in an archive, whose sums it checks. */
async function unpacked(zip: Buffer): Promise<{ name: string; size: number; isUtf8: boolean; content: string }[]> {
  const path = join(await temporaryFolder('mdk-zip-'), 'a.zip')
  await writeFile(path, zip)
  const script = `
import json, sys, zipfile
zip = zipfile.ZipFile(sys.argv[1])
assert zip.testzip() is None
print(json.dumps([dict(name=i.filename, size=i.file_size, isUtf8=bool(i.flag_bits & 0x800),
  content=zip.read(i).decode('latin1')) for i in zip.infolist()]))`
  return JSON.parse((await run('python3', ['-c', script, path])).stdout)
}

test('all files come as an archive that others unpack, by names that are safe and each its own', async () => {
  const names = [
    'a.txt',
    'A.txt',
    '../../evil.sh',
    '=?utf-8?q?Gr=C3=BC=C3=9Fe=2Etxt?=',
    '..',
    'invoice=?utf-8?q?=E2=80=AEfdp=2Eexe?=',
  ]
  const mail = await receiveFiles(...names.map((name, i) => file(name, 'text/plain', `File ${i}`)))
  const { answer, octets } = await octetsOf(mail.user, `/data/messages/${mail.id}/attachments.zip`)
  assert.equal(answer.headers.get('content-type'), 'application/zip')
  assert.equal(answer.headers.get('content-disposition'), 'attachment; filename="attachments.zip"')
  assert.equal(Number(answer.headers.get('content-length')), octets.length)
  const found = await unpacked(octets)
  assert.deepEqual(
    found.map(({ content }) => content),
    names.map((_, i) => `File ${i}`),
  )
  assert(found.every(({ isUtf8 }) => isUtf8))
  assert.deepEqual(found.map(({ name }) => name).slice(0, 4), ['a.txt', 'A (2).txt', 'evil.sh', 'Grüße.txt'])
  assert.equal(new Set(found.map(({ name }) => name.toLowerCase())).size, names.length)
  for (const { name } of found) assert.match(name, /^[^/\\\p{C}]+$/u)
  assert.equal(reading.size, 0)
  const none = await makePlace(database)
  const id = await receive(database, inbound.port, none, withFiles('<p>No files'))
  assert.equal((await ask(none.user, `/data/messages/${id}/attachments.zip`)).status, 404)
})

/** A message with so many files of 25 MiB, which lie in the store once. */
async function receiveLarge(count: number): Promise<Sent> {
  const mail = await receiveFiles(file('large.bin', 'application/octet-stream', 'x'))
  const id = mail.files[0]?.id as Uuid
  const { tenantId } = mail.tenant
  await plain.put(attachmentKey(tenantId, id), Buffer.alloc(25 * MIB, 'large'))
  await database.rows(sql`
    update attachments set size_bytes = ${25 * MIB} where tenant_id = ${tenantId} and id = ${id}`)
  await database.rows(sql`
    insert into message_attachments (tenant_id, message_id, position, attachment_id, part_id)
    select tenant_id, message_id, position + i, attachment_id, null
    from message_attachments, generate_series(1, ${count - 1}) i
    where tenant_id = ${tenantId} and message_id = ${mail.id}`)
  return mail
}

function begin({ user, id }: Sent): Promise<IncomingMessage> {
  const headers = { cookie: cookieOf(user), 'sec-fetch-site': 'same-origin' }
  return new Promise((resolve, reject) => {
    get(`${site.listensAt}/data/messages/${id}/attachments.zip`, { headers }, resolve).once('error', reject)
  })
}

test('an archive of large files flows without being held', async () => {
  const mail = await receiveLarge(24)
  const before = process.memoryUsage.rss()
  let [most, length] = [0, 0]
  const answer = await begin(mail)
  for await (const chunk of answer) {
    length += chunk.length
    most = Math.max(most, process.memoryUsage.rss() - before, reading.size > 1 ? Number.POSITIVE_INFINITY : 0)
  }
  assert.equal(length, Number(answer.headers['content-length']))
  assert(length > 600 * MIB)
  assert(most < 160 * MIB, `${Math.round(most / MIB)} MiB`)
})

test('whoever leaves in the middle of an archive ends what is read for it', async () => {
  const mail = await receiveLarge(24)
  const answer = await begin(mail)
  for (let i = 0; i < 100; i++) if (answer.read() === null) await new Promise((more) => answer.once('readable', more))
  assert.equal(reading.size, 1)
  answer.destroy()
  await until('nothing is read any more', () => reading.size === 0)
})

test('an archive of which a file is missing is broken off, and never looks whole', async () => {
  for (const missing of [0, 1]) {
    const mail = await receiveFiles(file('a.txt', 'text/plain', 'a'), file('b.txt', 'text/plain', 'b'))
    await plain.delete(objectKey('attachments', mail.tenant.tenantId, mail.files[missing]?.id as Uuid))
    await assert.rejects(octetsOf(mail.user, `/data/messages/${mail.id}/attachments.zip`))
    await until('nothing is read any more', () => reading.size === 0)
  }
  const mail = await receiveFiles(file('a.txt', 'text/plain', 'longer than it is'))
  await plain.put(attachmentKey(mail.tenant.tenantId, mail.files[0]?.id as Uuid), Buffer.from('short'))
  await assert.rejects(octetsOf(mail.user, `/data/messages/${mail.id}/attachments.zip`))
})
