// Finds something by a few words, an address or an id, wherever in the environment it is: a few of each kind.
import type { Person } from '../../access/actor.ts'
import { Problem } from '../../access/problem.ts'
import { searchApps } from '../../apps/search-apps.ts'
import { readEvent } from '../../events/read-event.ts'
import { Type } from '../../lib/schema-types.ts'
import { Closed } from '../../lib/schemas.ts'
import type { Database } from '../../lib/sql.ts'
import { isUuid, type Uuid } from '../../lib/uuid.ts'
import { searchDomains } from '../../mailboxes/search-domains.ts'
import { searchMailboxes } from '../../mailboxes/search-mailboxes.ts'
import { pageMessages } from '../../messages/page-messages.ts'
import { readMessageHead } from '../../messages/read-message-head.ts'
import { readRefusedRequest } from '../../requests/list-refused-requests.ts'
import { readDelivery } from '../../webhooks/read-delivery.ts'
import { searchEndpoints } from '../../webhooks/search-endpoints.ts'
import { consoleData } from './console-data.ts'
import { FoundList, type FoundThing } from './found-schemas.ts'

const MOST_OF_A_KIND = 5

export default consoleData(
  {
    method: 'GET',
    path: '/data/find',
    query: Closed({ q: Type.String({ format: 'text', minLength: 1, maxLength: 200 }) }),
    answer: FoundList,
  },
  ({ database }: { database: Database }) =>
    async ({ actor, query: { q } }) => {
      const text = q.trim()
      if (text === '') return { items: [] }
      const id = isUuid(text.toLowerCase()) ? text.toLowerCase() : null
      const [byId, named, messages] = await Promise.all([
        id === null ? [] : findById(database, actor, id),
        findNamed(database, actor, { text, id }),
        id === null ? findMessages(database, actor, text) : [],
      ])
      return { items: [...byId, ...named, ...messages] }
    },
)

async function findById(database: Database, actor: Person, id: Uuid): Promise<FoundThing[]> {
  const [message, event, delivery, request] = await Promise.all([
    readMessageHead(database, actor, id),
    unlessAbsent(readEvent(database, actor, id)),
    unlessAbsent(readDelivery(database, actor, id)),
    unlessAbsent(readRefusedRequest(database, actor, id)),
  ])
  return [
    ...(message ? [found('message', id, message.subject, message.status)] : []),
    ...(event ? [{ ...found('event', id, event.type, null), resourceId: event.resourceId, at: event.occurredAt }] : []),
    ...(delivery ? [found('delivery', id, delivery.eventType, delivery.status)] : []),
    ...(request
      ? [found('request', id, `${request.method} ${request.path}`, `${request.status} ${request.code ?? ''}`.trim())]
      : []),
  ]
}

async function findNamed(
  database: Database,
  actor: Person,
  wanted: { text: string; id: Uuid | null },
): Promise<FoundThing[]> {
  const [mailboxes, domains, endpoints, apps] = await Promise.all([
    searchMailboxes(database, actor, wanted, MOST_OF_A_KIND),
    searchDomains(database, actor, wanted, MOST_OF_A_KIND),
    searchEndpoints(database, actor, wanted, MOST_OF_A_KIND),
    searchApps(database, actor, wanted, MOST_OF_A_KIND),
  ])
  return [
    ...mailboxes.map(({ id, address, displayName }) => found('mailbox', id, address, displayName)),
    ...domains.map(({ id, domain, health }) => found('domain', id, domain, health)),
    ...endpoints.map(({ id, url, enabled }) => found('endpoint', id, url, enabled ? null : 'disabled')),
    ...apps.map(({ id, name, environment }) => found('app', id, name, environment)),
  ]
}

async function findMessages(database: Database, actor: Person, q: string): Promise<FoundThing[]> {
  const { items } = await pageMessages(database, actor, { q, limit: MOST_OF_A_KIND })
  return items.map(({ id, subject, from, to }) => {
    const addresses = [from, ...to].flatMap((one) => one?.address ?? [])
    return found('message', id, subject, addresses.slice(0, 2).join(' → '))
  })
}

const found = (kind: FoundThing['kind'], id: Uuid, words: string, about: string | null): FoundThing => {
  return { kind, id, words, about, resourceId: null, at: null }
}

async function unlessAbsent<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return undefined
    throw error
  }
}
