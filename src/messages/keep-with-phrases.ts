// Of messages that have the words of a search, those in which its phrases stand: words beside each other. Reads their texts for that.
import { setImmediate as otherWork } from 'node:timers/promises'
import type { Realm } from '../access/actor.ts'
import { type Db, sql } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { HTML_CHARS, hasPhrase, type MailField, phraseOf, TEXT_CHARS } from '../mail/mail-words.ts'
import { seenWords } from '../mail/parse/html-text.ts'
import type { Address } from './schemas.ts'
import type { MailPhrase } from './search-query.ts'

/** Whose texts are in memory at once. */
const READ_AT_ONCE = 20

interface Headed {
  id: Uuid
  subject: string
  from_address: string | null
  from_name: string | null
}

interface Rest {
  id: Uuid
  to_addresses: Address[]
  cc_addresses: Address[]
  bcc_addresses: Address[]
  text: string | null
  html: string | null
  filenames: string[]
}

/** In their order. */
export async function keepWithPhrases<Message extends Headed>(
  db: Db,
  realm: Realm,
  phrases: readonly MailPhrase[],
  messages: readonly Message[],
): Promise<Message[]> {
  if (phrases.length === 0) return [...messages]
  const kept: Message[] = []
  for (let i = 0; i < messages.length; i += READ_AT_ONCE) {
    const some = messages.slice(i, i + READ_AT_ONCE)
    const rests = await readRests(db, realm, some, phrases)
    for (const message of some) {
      if (hasAll(message, rests.get(message.id), phrases)) kept.push(message)
      await otherWork()
    }
  }
  return kept
}

/** What of them these phrases may stand in, beside subject and sender. */
async function readRests(
  db: Db,
  { tenantId, environmentId }: Realm,
  messages: readonly { id: Uuid }[],
  phrases: readonly MailPhrase[],
): Promise<Map<Uuid, Rest>> {
  const isAnywhere = phrases.some(({ field }) => field === 'anywhere')
  if (!isAnywhere && !phrases.some(({ field }) => field === 'recipient')) return new Map()
  const rows = await db.rows(sql<Rest>`
    select m.id, m.to_addresses, m.cc_addresses, m.bcc_addresses,
      case when ${isAnywhere}::boolean then left(m.text, ${TEXT_CHARS}) end as text,
      case when ${isAnywhere}::boolean then left(m.html, ${HTML_CHARS}) end as html,
      array(
        select a.filename from message_attachments h
        join attachments a on a.tenant_id = h.tenant_id and a.id = h.attachment_id
        where m.attachment_count > 0 and h.tenant_id = m.tenant_id and h.message_id = m.id order by h.position) as filenames
    from messages m
    where m.tenant_id = ${tenantId} and m.environment_id = ${environmentId} and m.id = any (${messages.map(({ id }) => id)}::uuid[])`)
  return new Map(rows.map((row) => [row.id, row]))
}

function hasAll(message: Headed, rest: Rest | undefined, phrases: readonly MailPhrase[]): boolean {
  const texts = new Map<MailField, string[]>()
  return phrases.every(({ phrase, field, isBeginning, isExcluded }) => {
    const said = texts.get(field) ?? textsOf(message, rest, field).map(phraseOf)
    texts.set(field, said)
    return said.some((text) => hasPhrase(text, phrase, isBeginning)) !== isExcluded
  })
}

function textsOf(message: Headed, rest: Rest | undefined, field: MailField): string[] {
  switch (field) {
    case 'subject':
      return [message.subject]
    case 'sender':
      return [message.from_address ?? '', message.from_name ?? '']
    case 'recipient':
      return peopleOf(rest).flatMap(({ address, name }) => (name === null ? [address] : [address, name]))
    case 'anywhere': {
      const headers = (['subject', 'sender', 'recipient'] as const).flatMap((one) => textsOf(message, rest, one))
      const html = rest?.html ? seenWords(rest.html, TEXT_CHARS).slice(0, TEXT_CHARS) : ''
      return [...headers, ...(rest?.filenames ?? []), rest?.text ?? '', html]
    }
  }
}

const peopleOf = (rest: Rest | undefined): Address[] =>
  rest ? [...rest.to_addresses, ...rest.cc_addresses, ...rest.bcc_addresses] : []
