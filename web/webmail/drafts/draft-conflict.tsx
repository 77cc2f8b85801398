// Somebody else, or another browser of the user's, changed a draft that is changed here, or ended it: both texts show, and one
// chooses. What others wrote shows as text.
import { useState } from 'preact/hooks'
import type { DraftContent } from '../../../src/servers/webmail/draft-schemas.ts'
import { attempt } from '../../ui/attempt.ts'
import { plainWords } from '../../ui/plain-words.ts'
import { session } from '../../ui/session.ts'
import { Time } from '../../ui/time.tsx'
import type { OpenDraft } from './draft-parts.ts'
import { textOf } from './text-of.ts'

export function DraftConflict({ draft }: { draft: OpenDraft }) {
  const theirs = draft.conflict.value
  const end = draft.end.value
  const [isBusy, setBusy] = useState(false)
  const settle = (choice: 'mine' | 'theirs' | 'both') => () => {
    if (isBusy) return
    setBusy(true)
    attempt(() => draft.settle(choice).finally(() => setBusy(false)))
  }
  if (end && !draft.isAtRest.value) {
    return (
      <section class="alert warn stack tight" aria-label="The draft is gone">
        <p role="alert">
          {end === 'sent'
            ? 'This draft was sent meanwhile, without what you wrote last.'
            : 'This draft was discarded meanwhile, or you no longer have the mailbox. What you wrote is still here.'}
        </p>
        <div class="actions">
          <button type="button" class="primary" onClick={settle('mine')}>
            Keep mine as a new draft
          </button>
          <button type="button" onClick={settle('theirs')}>
            Let mine go
          </button>
        </div>
      </section>
    )
  }
  if (!theirs) return null
  return (
    <section class="alert warn stack tight conflict" aria-label="Two versions of this draft">
      <p role="alert">
        {theirs.savedBy === session().login ? 'You, in another window,' : <bdi>{plainWords(theirs.savedBy)}</bdi>}{' '}
        {theirs.due ? 'let this draft be sent' : 'changed this draft'} while it was written here. Choose which text is
        kept: nothing is lost before.
      </p>
      <div class="versions">
        <Version title="Yours" content={draft.content.value} />
        <Version title="Theirs" content={theirs} at={theirs.savedAt} />
      </div>
      <div class="actions">
        <button type="button" class="primary" onClick={settle('both')}>
          Keep both
        </button>
        <button type="button" onClick={settle('mine')}>
          Keep mine
        </button>
        <button type="button" onClick={settle('theirs')}>
          Take theirs
        </button>
      </div>
    </section>
  )
}

function Version({ title, content, at }: { title: string; content: DraftContent; at?: string }) {
  return (
    <section aria-label={title}>
      <h2>
        {title}
        {at && (
          <small class="soft">
            {' '}
            <Time at={at} />
          </small>
        )}
      </h2>
      <textarea
        readOnly
        rows={8}
        dir="auto"
        aria-label={`Text of ${title.toLowerCase()}`}
        value={plainLines(content)}
      />
    </section>
  )
}

function plainLines(content: DraftContent): string {
  const to = content.to.map(({ address }) => address).join(', ')
  const heads = [to && `To: ${plainWords(to)}`, content.subject && `Subject: ${plainWords(content.subject)}`]
  return [...heads, textOf(content)].filter(Boolean).join('\n')
}
