// The rows of the list of drafts: what the server has, and what this tab has that the server does not have so. Pure but for signals.
import type { DraftRow } from '../../../src/servers/webmail/draft-schemas.ts'
import type { Away, DraftState, OpenDraft } from './draft-parts.ts'
import { textOf } from './text-of.ts'

const PREVIEW_CHARACTERS = 140

export interface ShownRow {
  row: DraftRow
  /** Of what this tab has otherwise than the server. */
  local: { state: DraftState; away: Away | undefined; isQueued: boolean; isRecovered: boolean } | undefined
}

/** Undefined: nothing is known yet. */
export function mergeRows(
  rows: readonly DraftRow[] | undefined,
  pending: readonly OpenDraft[],
): readonly ShownRow[] | undefined {
  const byId = new Map(pending.map((draft) => [draft.id, draft]))
  const known = new Set(rows?.map(({ id }) => id))
  // What is gone stays only where something of it is unsaved.
  const own = pending.filter(({ id }) => !known.has(id)).map((draft) => shownAs(rowOf(draft), draft))
  if (!rows && own.length === 0) return undefined
  return [
    ...own,
    ...(rows ?? []).map((row) => {
      const draft = byId.get(row.id)
      return draft ? shownAs({ ...row, ...textsOf(draft) }, draft) : { row, local: undefined }
    }),
  ]
}

function shownAs(row: DraftRow, { state, away, queued, isRecovered }: OpenDraft): ShownRow {
  return { row, local: { state: state.value, away: away.value, isQueued: queued.value !== undefined, isRecovered } }
}

function textsOf({ content }: OpenDraft): Pick<DraftRow, 'to' | 'subject' | 'preview' | 'attachmentCount'> {
  const { to, subject, attachmentIds } = content.value
  const preview = textOf(content.value).replace(/\s+/g, ' ').trim().slice(0, PREVIEW_CHARACTERS)
  return { to, subject, preview, attachmentCount: attachmentIds.length }
}

function rowOf(draft: OpenDraft): DraftRow {
  return {
    id: draft.id,
    mailboxId: draft.content.value.mailboxId,
    ...textsOf(draft),
    due: draft.due.value,
    failure: draft.failure.value,
    savedAt: draft.savedAt.value ?? new Date().toISOString(),
  }
}
