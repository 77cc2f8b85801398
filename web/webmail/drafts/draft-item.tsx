// One draft in the list.
import { useState } from 'preact/hooks'
import { Badge } from '../../ui/badge.tsx'
import { Icon } from '../../ui/icon.tsx'
import { plainWords } from '../../ui/plain-words.ts'
import { Time } from '../../ui/time.tsx'
import { NO_SUBJECT } from '../list/message-row.tsx'
import { unsavedWords } from './away-words.ts'
import { cancelSending, discard, sendAt, sendNow } from './draft-acts.ts'
import type { ShownRow } from './draft-rows.ts'
import { SendLaterDialog } from './send-later-dialog.tsx'
import { timeInWords } from './send-times.ts'
import { draftHref } from './tell.tsx'

export function DraftItem({ row, local }: ShownRow) {
  const [isChoosing, setChoosing] = useState(false)
  const { id, due, failure, attachmentCount } = row
  const subject = plainWords(row.subject).trim() || NO_SUBJECT
  const to = row.to.map(({ name, address }) => plainWords(name ?? '').trim() || plainWords(address)).join(', ')
  const button = (words: string, act: () => void) => (
    <button type="button" class="small" aria-label={`${words} ${subject}`} onClick={act}>
      {words}
    </button>
  )
  return (
    <li data-id={id}>
      <a href={draftHref(id)}>
        <span class="who" dir="auto">
          {to ? `To: ${to}` : 'To nobody yet'}
        </span>
        <span class="what" dir="auto">
          {subject}
        </span>
        <small class="preview" dir="auto">
          {plainWords(row.preview)}
        </small>
        <span class="marks">
          <Marks row={row} local={local} />
          {attachmentCount > 0 && (
            <span class="clip">
              <Icon name="clip" />
              <span class="unseen">{attachmentCount === 1 ? '1 attachment' : `${attachmentCount} attachments`}</span>
            </span>
          )}
          <Time at={row.savedAt} />
        </span>
      </a>
      {failure && !due && <p class="fault">It was not sent: {failure.message}</p>}
      <div class="actions">
        {due?.isScheduled && (
          <>
            {button('Send now', () => void sendNow(id))}
            {button('Change time', () => setChoosing(true))}
          </>
        )}
        {due || local?.isQueued
          ? button('Cancel sending', () => void cancelSending(id))
          : button('Discard', () => void discard(id))}
      </div>
      {isChoosing && (
        <SendLaterDialog title="Change the time" onSend={(at) => sendAt(id, at)} onClose={() => setChoosing(false)} />
      )}
    </li>
  )
}

function Marks({ row: { due, failure }, local }: ShownRow) {
  if (local?.isQueued) {
    const isReached = local.away !== undefined && local.away.kind !== 'unreachable'
    return <Badge tone="warn">{isReached ? 'Waits for the service' : 'Waits for the connection'}</Badge>
  }
  if (due)
    return (
      <Badge tone="accent">{due.isScheduled ? `Will be sent ${timeInWords(due.at, Date.now())}` : 'Sending…'}</Badge>
    )
  if (local?.state === 'conflict') return <Badge tone="warn">Two versions</Badge>
  if (local?.state === 'gone') return <Badge tone="warn">Gone, with unsaved changes</Badge>
  if (local?.isRecovered) return <Badge tone="warn">Unsaved changes of this browser</Badge>
  if (local?.state === 'offline') return <Badge tone="warn">{unsavedWords(local.away)}</Badge>
  return failure && <Badge tone="bad">Not sent</Badge>
}
