// The data operations of drafts, as an open draft asks for them.
import type { Draft, DueDraft } from '../../../src/servers/webmail/draft-schemas.ts'
import { open, Refusal, read, send } from '../../ui/request.ts'
import type { DraftServer } from './draft-parts.ts'

export const DRAFTS_PATH = '/data/drafts'
/** A browser lets so much outlive its page (Fetch, 64 KiB in all), and some of it may be under way already. */
const OUTLIVES_BYTES = 48 * 1024

const pathOf = (id: string): string => `${DRAFTS_PATH}/${id}`

export const draftServer: DraftServer = {
  read: (id) => read<Draft>(pathOf(id)),

  async save(id, draft) {
    const body = new Blob([JSON.stringify(draft)], { type: 'application/json' })
    const answer = await open(pathOf(id), { method: 'PUT', body, keepalive: body.size <= OUTLIVES_BYTES })
    return (await answer.json()) as Draft
  },

  send: (id, how) => send<DueDraft>('POST', `${pathOf(id)}/send`, how),
  takeBack: (id) => send<Draft>('POST', `${pathOf(id)}/take-back`),
  discard: (id) => send('DELETE', pathOf(id)),

  async wasSent(messageId) {
    try {
      await read(`/data/messages/${messageId}`)
      return true
    } catch (error) {
      if (error instanceof Refusal && error.status === 404) return false
      throw error
    }
  },
}
