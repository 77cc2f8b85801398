// Captured mail, read as mail is. It may hold links by which anybody of the service signs in, so that it is the demo's
// Owner's alone: for everybody else there is none.
import type { Person } from '../../access/actor.ts'
import { absent } from '../../access/problem.ts'
import type { Uuid } from '../../lib/uuid.ts'
import { createMailParser } from '../../mail/parse/mail-parser.ts'
import type { ParsedMessage } from '../../mail/parse/parsed-message.ts'
import type { KeptMail, MailFolder } from './mail-folder.ts'
import type { ListedCapture } from './schemas.ts'

export interface CapturedMail {
  /** Newest first, behind that id. */
  list(actor: Person, page: { behind: Uuid | undefined; limit: number }): Promise<ListedCapture[]>
  /** As it came. @throws Problem not_found */
  open(actor: Person, id: Uuid): Promise<KeptMail>
  /** As it is read. @throws Problem not_found */
  read(actor: Person, id: Uuid): Promise<KeptMail & { head: ListedCapture; parsed: ParsedMessage }>
  stop(): Promise<void>
}

const PARSE_TIMEOUT_MS = 10_000
const HEAP_MIB = 256

/** `ownerOf`: the tenant whose Owners may look, once there is one. */
export function createCapturedMail(folder: MailFolder, ownerOf: () => Uuid | undefined): CapturedMail {
  const parser = createMailParser({ threads: 1, timeoutMs: PARSE_TIMEOUT_MS, heapMiB: HEAP_MIB })
  /** Of mail that was listed: it stays as it is. */
  const heads = new Map<Uuid, ListedCapture>()

  const mayLook = ({ role, tenantId }: Person) => role === 'owner' && tenantId === ownerOf()

  async function open(actor: Person, id: Uuid): Promise<KeptMail> {
    const kept = mayLook(actor) ? await folder.read(id) : undefined
    if (!kept) throw absent('captured mail')
    return kept
  }

  async function read(actor: Person, id: Uuid) {
    const kept = await open(actor, id)
    const parsed = await parser.parse([kept.octets])
    return { ...kept, parsed, head: headOf(id, kept, parsed) }
  }

  /** Undefined of what has made room meanwhile. */
  async function headFor(id: Uuid): Promise<ListedCapture | undefined> {
    const known = heads.get(id)
    if (known) return known
    const kept = await folder.read(id)
    if (!kept) return undefined
    const head = headOf(id, kept, await parser.parse([kept.octets]))
    heads.set(id, head)
    return head
  }

  return {
    open,
    read,
    async list(actor, { behind, limit }) {
      if (!mayLook(actor)) throw absent('captured mail')
      const ids = await folder.list()
      const there = new Set(ids)
      for (const id of heads.keys()) if (!there.has(id)) heads.delete(id)
      const page = ids.filter((id) => behind === undefined || id < behind).slice(0, limit)
      return (await Promise.all(page.map(headFor))).filter((head) => head !== undefined)
    },
    stop: () => parser.stop(),
  }
}

function headOf(id: Uuid, { envelope: { capturedAt, recipients } }: KeptMail, parsed: ParsedMessage): ListedCapture {
  const { from, subject, attachments } = parsed
  return { id, capturedAt, from, subject, recipients, hasAttachments: attachments.length > 0 }
}
