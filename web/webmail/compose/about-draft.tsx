// What is to be known of a draft before and while one writes it: why it was not sent, that it is on its way, where its answer goes.
import type { ComponentChildren } from 'preact'
import { attempt } from '../../ui/attempt.ts'
import { useQuery } from '../../ui/query.ts'
import { unsavedWords } from '../drafts/away-words.ts'
import type { OpenDraft } from '../drafts/draft-store.ts'
import { timeInWords } from '../drafts/send-times.ts'
import { contentPath } from '../message/message-data.ts'
import type { Message } from '../message/shapes.ts'
import { suspectReplyTo } from './answer.ts'
import { sameAddress } from './mail-addresses.ts'

export function AboutDraft({ draft }: { draft: OpenDraft }) {
  const failure = draft.failure.value
  const due = draft.due.value
  return (
    <>
      {draft.state.value === 'due' && due && (
        <div class="alert beside apart" role="status">
          <p>{due.isScheduled ? `It will be sent ${timeInWords(due.at, Date.now())}.` : 'It is being sent.'}</p>
          <button type="button" class="small" onClick={() => attempt(() => draft.takeBack())}>
            Take it back
          </button>
        </div>
      )}
      {draft.state.value === 'gone' && <Gone draft={draft} />}
      {failure && draft.state.value !== 'due' && <Bad>It was not sent: {failure.message}</Bad>}
      {draft.isRecovered && <p class="alert">Unsaved changes of this browser are in it.</p>}
      <Suspect draft={draft} />
    </>
  )
}

function Bad({ children }: { children: ComponentChildren }) {
  return (
    <p class="alert bad" role="alert">
      {children}
    </p>
  )
}

/** What is unsaved of it is offered beside. */
function Gone({ draft }: { draft: OpenDraft }) {
  return (
    <p class="alert" role="alert">
      {draft.end.value === 'sent' ? 'This message was sent.' : 'This draft was discarded.'}
    </p>
  )
}

/** Whoever pretends to be somebody would have the answer. */
function Suspect({ draft }: { draft: OpenDraft }) {
  const { answers, to, cc } = draft.content.value
  const message = useQuery<Message>(answers === null ? undefined : contentPath(answers)).data
  const suspect = message && suspectReplyTo(message)
  if (!message || suspect === undefined) return null
  if (![...to, ...cc].some(({ address }) => sameAddress(address, suspect))) return null
  return (
    <Bad>
      The message that you answer may not be from <bdi>{message.from?.address}</bdi>. Your answer goes to{' '}
      <bdi>{suspect}</bdi>, whom it names.
    </Bad>
  )
}

const STATES = {
  saved: 'Saved',
  changed: 'Not saved yet',
  saving: 'Saving',
  conflict: 'Changed elsewhere',
  due: 'On its way',
  gone: 'Gone',
} as const

/** `waits`: it goes once the files are there. */
export function DraftState({ draft, waits }: { draft: OpenDraft; waits: boolean }) {
  const state = draft.state.value
  const words = waits
    ? 'It is sent as soon as the files are uploaded'
    : state === 'offline'
      ? unsavedWords(draft.away.value)
      : STATES[state]
  // Nothing was written yet.
  if (!waits && state === 'saved' && draft.savedAt.value === undefined) return null
  return (
    <p class="soft" role={state === 'offline' || waits ? 'status' : undefined}>
      {words}
    </p>
  )
}
