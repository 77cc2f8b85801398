// What is written in the webmail as it reaches the relay: parts, images within the text, names in any script, lines, headers and
// signature as good as those of a send of the API.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { dkimVerify } from 'mailauth'
import PostalMime from 'postal-mime'
import { createDnsResolver } from '../../src/lib/resolver.ts'
import { createSecretBox } from '../../src/lib/secret-box.ts'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import { addDomain } from '../../src/mailboxes/add-domain.ts'
import { createMailbox } from '../../src/mailboxes/create-mailbox.ts'
import { makeDkimKey } from '../../src/mailboxes/dkim-key.ts'
import type { DraftContent } from '../../src/servers/webmail/draft-schemas.ts'
import { openTestStore, send as sendByApi, startTestApi } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { startTestDns } from '../support/dns.ts'
import { draftOf, draftsOf, fallDue } from '../support/drafts.ts'
import { startTestInbound } from '../support/inbound.ts'
import { operatorOf } from '../support/operator.ts'
import { createTestMailboxUser } from '../support/people.ts'
import { TEST_SECRET_KEYS } from '../support/role-parts.ts'
import { startTestSite } from '../support/site.ts'
import { type ReceivedMail, startSmtpSink } from '../support/smtp-sink.ts'
import { createTestTenant } from '../support/tenant.ts'
import { PNG, receive } from '../support/webmail-mail.ts'
import { uploadsTo } from '../support/webmail-uploads.ts'
import { startTestOutbound } from '../support/workers.ts'

const { database } = await createTestDatabase()
const store = await openTestStore()
const site = await startTestSite('webmail', database, { store })
const api = await startTestApi(database, { store })
const inbound = await startTestInbound(database, { store })
const sink = await startSmtpSink({ server: { hideSMTPUTF8: false } })
after(sink.stop)
await startTestOutbound(database, { relayUrl: sink.url, store })
const dns = await startTestDns()
const resolver = createDnsResolver([dns.server])
after(async () => {
  resolver.close()
  await dns.stop()
})

// A mailbox whose mail is signed, and a user of it.
const tenant = await createTestTenant(database)
const { tenantId } = tenant
const domain = `d${newId().replaceAll('-', '')}.test`
const dkim = { key: await makeDkimKey(), secretBox: createSecretBox(TEST_SECRET_KEYS) }
const { records } = await addDomain(database, operatorOf(tenantId), { domain, vouched: true, dkim })
const published = records.find((record) => record.purpose === 'dkim') ?? assert.fail()
dns.zone = { [published.name]: { TXT: [published.value] } }
const address = `ada@${domain}`
const { id: mailboxId } = await createMailbox(database, operatorOf(tenantId), { address, displayName: 'The office' })
const user = await createTestMailboxUser(database, tenantId, mailboxId)
const { ask, saved, send } = draftsOf(site)

const upload = (bytes: Buffer, filename: string, mediaType: string): Promise<Uuid> =>
  uploadsTo(site).upload(user, { mailboxId, filename, mediaType, bytes })

/** Writes it, sends it, and gives it as the relay has it. */
async function mailOf(content: Partial<DraftContent>): Promise<ReceivedMail> {
  const before = sink.mails.length
  const draft = await saved(user, draftOf(mailboxId, content))
  const sent = await send(user, draft.id)
  assert.equal(sent.status, 200, sent.text)
  await fallDue(database, draft.id)
  const mails = await sink.received(before + 1)
  return mails[before] ?? assert.fail()
}

const headerOf = ({ bytes }: ReceivedMail): string => bytes.toString('latin1').split('\r\n\r\n', 1)[0] ?? ''
/** A field of the header, as one line. */
const field = (mail: ReceivedMail, name: string): string | undefined =>
  new RegExp(`^${name}: ?(.*(?:\\r\\n[ \\t].*)*)`, 'im').exec(headerOf(mail))?.[1]?.replace(/\r\n[ \t]/g, ' ')
/** The types of its parts, as they lie in one another. */
const typesOf = ({ bytes }: ReceivedMail) =>
  [...bytes.toString('latin1').matchAll(/^Content-Type: ([\w/-]+)/gm)].map(([, type]) => type)

test('HTML goes with its text, images within it lie beside it, and files behind both', async () => {
  const image = await upload(PNG, 'dot.png', 'image/png')
  const file = await upload(Buffer.from('Hello file'), 'note.txt', 'text/plain')
  const mail = await mailOf({
    subject: 'Pictures',
    body: `<p>Look: <img src="cid:${image}" alt="a dot"> <b>here</b></p>`,
    quote: { html: '<p>How are you?</p>', attribution: 'On Monday Bob wrote:' },
    attachmentIds: [image, file],
  })
  assert.deepEqual(typesOf(mail), [
    ...['multipart/mixed', 'multipart/alternative', 'text/plain', 'multipart/related', 'text/html', 'image/png'],
    'text/plain',
  ])
  const { html, text, attachments } = await PostalMime.parse(mail.bytes)
  assert.match(text ?? '', /^Look:.*here/)
  assert.match(text ?? '', /\nOn Monday Bob wrote:\n> How are you\?/)
  assert.match(html ?? '', new RegExp(`<img src="cid:${image}"`))
  assert.match(html ?? '', /<blockquote type="cite"><p>How are you\?<\/p><\/blockquote>/)
  const shown = attachments.map(({ filename, mimeType, disposition, contentId, content }) => ({
    ...{ filename, mimeType, disposition, contentId },
    bytes: Buffer.from(content as ArrayBuffer),
  }))
  assert.deepEqual(shown, [
    { filename: 'dot.png', mimeType: 'image/png', disposition: 'inline', contentId: `<${image}>`, bytes: PNG },
    {
      ...{ filename: 'note.txt', mimeType: 'text/plain', disposition: 'attachment', contentId: undefined },
      bytes: Buffer.from('Hello file'),
    },
  ])
})

test('a plain text is one part, and what it quotes is in it', async () => {
  const mail = await mailOf({ format: 'text', body: 'Hi  \nBob', quote: { html: '<p>Yo</p>', attribution: '' } })
  assert.deepEqual(typesOf(mail), ['text/plain'])
  const { text, html } = await PostalMime.parse(mail.bytes)
  assert.deepEqual([text?.trimEnd(), html], ['Hi  \nBob\n\n> Yo', undefined])
})

test('names of people and of files arrive in any script', async () => {
  const names = ['Größe & Maß.pdf', '山田の写真.png', 'ملف.txt', 'it\'s "so".txt', `${'長'.repeat(200)}.txt`]
  const attachmentIds: Uuid[] = []
  for (const name of names) attachmentIds.push(await upload(Buffer.from(name), name, 'application/octet-stream'))
  const people = [
    { address: 'a@shop.example', name: 'Łukasz, "the" Õun' },
    { address: 'b@münchen.example', name: '山田太郎' },
  ]
  const named = await ask(user, 'PUT', `/data/identities/${mailboxId}`, { name: 'Адa Løvelace', signature: null })
  assert.equal(named.status, 200)
  const mail = await mailOf({
    subject: 'Grüße 山',
    to: people,
    cc: [{ address: 'c@shop.example', name: 'C. C' }],
    attachmentIds,
  })
  const parsed = await PostalMime.parse(mail.bytes)
  assert.deepEqual(
    parsed.attachments.map(({ filename }) => filename),
    names,
  )
  assert.equal(parsed.subject, 'Grüße 山')
  assert.deepEqual([parsed.from?.name, parsed.from?.address], ['Адa Løvelace', address])
  assert.deepEqual(
    parsed.to?.map(({ name }) => name),
    people.map(({ name }) => name),
  )
  assert.match(field(mail, 'To') ?? '', /<b@xn--mnchen-3ya\.example>/)
  assert.equal(parsed.cc?.[0]?.name, 'C. C')
  assert.equal(mail.bytes.toString('latin1').match(/[^\0-\x7f]/), null)
  await ask(user, 'PUT', `/data/identities/${mailboxId}`, { name: null, signature: null })
})

test('no line is longer than 998 octets, whatever is written', async () => {
  const long = 'x'.repeat(5_000)
  const mail = await mailOf({
    subject: '語'.repeat(900),
    body: `<p>${long} ${'山'.repeat(3_000)}</p>`,
    quote: { html: `<p>${long}</p>`, attribution: 'y'.repeat(1_000) },
    to: Array.from({ length: 50 }, (_, n) => ({ address: `person-${n}@shop.example`, name: '名'.repeat(60) })),
  })
  const lines = mail.bytes.toString('latin1').split('\r\n')
  assert(Math.max(...lines.map((line) => line.length)) <= 998)
  assert.equal(
    mail.bytes
      .toString('latin1')
      .replaceAll('\r\n', '')
      .match(/[\r\n]/),
    null,
  )
  const { html, subject, to } = await PostalMime.parse(mail.bytes)
  assert.equal(subject, '語'.repeat(900))
  assert.equal(to?.[49]?.name, '名'.repeat(60))
  assert(html?.includes(long) && html.includes('山'.repeat(3_000)))
})

test('a verifier that asks the DNS accepts the signature, and who gets a blind copy is in no header', async () => {
  const file = await upload(PNG, 'dot.png', 'image/png')
  const mail = await mailOf({
    cc: [{ address: 'cc@shop.example', name: null }],
    bcc: [{ address: 'hidden@secret.example', name: 'Hidden' }],
    attachmentIds: [file],
  })
  const { results } = await dkimVerify(mail.bytes, {
    resolver: async (name: string, type: string) => {
      const answer = await resolver.query(name, type as 'TXT')
      return answer.kind === 'records' ? answer.records : []
    },
  })
  assert.deepEqual(
    results.map(({ status, signingDomain }) => [status.result, signingDomain]),
    [['pass', domain]],
  )
  assert.deepEqual(mail.to.toSorted(), ['ada@shop.example', 'cc@shop.example', 'hidden@secret.example'])
  assert.doesNotMatch(mail.bytes.toString('latin1'), /secret\.example|^bcc:/im)
})

test('an answer names what it answers, and all that came before it', async () => {
  const references = ['<first@shop.example>', '<second@shop.example>']
  const head = `From: Bob <bob@shop.example>\r\nTo: ${address}\r\nSubject: Plans\r\n`
  const raw = `${head}References: ${references.join('\r\n ')}\r\nIn-Reply-To: ${references[1]}\r\n\r\nHow?\r\n`
  const answered = await receive(database, inbound.port, { tenant, user }, raw, [address])
  const { rows } = await database.pool.query('select message_id from messages where id = $1', [answered])
  const mail = await mailOf({ kind: 'reply', answers: answered, subject: 'Re: Plans' })
  assert.equal(field(mail, 'In-Reply-To'), rows[0].message_id)
  assert.equal(field(mail, 'References'), [...references, rows[0].message_id].join(' '))
})

test('the webmail and the API write the same octets of the same message, but for its ids and times', async () => {
  const image = await upload(PNG, 'größe.png', 'image/png')
  const file = await upload(Buffer.alloc(3_000, 5), 'note.bin', 'application/octet-stream')
  const body = `<p>Grüße <img src="cid:${image}"></p>`
  const common = { subject: 'The same 山', attachmentIds: [image, file] }
  const written = await mailOf({
    ...common,
    ...{ body, to: [{ address: 'to@shop.example', name: null }], cc: [{ address: 'cc@shop.example', name: null }] },
  })
  const { text } = await PostalMime.parse(written.bytes)
  const before = sink.mails.length
  const answer = await sendByApi(api.url, tenant.key, {
    ...{ ...common, fromMailboxId: mailboxId, to: ['to@shop.example'], cc: ['cc@shop.example'] },
    ...{ html: body, text: text?.replace(/\n$/, '') },
  })
  assert.equal(answer.status, 202)
  const sent = (await sink.received(before + 1))[before] ?? assert.fail()
  assert.deepEqual(withoutIds(written), withoutIds(sent))
})

/** Its text, from which what names it and says when it was written is taken. */
function withoutIds(mail: ReceivedMail): string[] {
  const text = mail.bytes.toString('latin1').replace(/^DKIM-Signature: .*\r\n(?:[ \t].*\r\n)*/, '')
  const boundaries = [...text.matchAll(/boundary="([^"]+)"/g)].map(([, boundary]) => boundary as string)
  assert.equal(boundaries.length, 3)
  const plain = boundaries.reduce((all, boundary, n) => all.replaceAll(boundary, `boundary ${n}`), text)
  const named = plain.replace(/^(Message-ID|Date): .*$/gm, '$1')
  assert.notEqual(named, plain)
  return named.split('\r\n')
}
