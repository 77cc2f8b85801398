// From whom, to whom, and under which subject.
import { useState } from 'preact/hooks'
import type { DraftContent } from '../../../src/servers/webmail/draft-schemas.ts'
import { faultInWords } from '../../ui/fault-in-words.ts'
import type { Mailbox } from '../mailbox.ts'
import { RecipientField } from './recipient-field.tsx'
import type { FieldFaults } from './send-faults.ts'

interface Props {
  content: DraftContent
  mailboxes: readonly Mailbox[]
  faults: FieldFaults
  onChange(part: Partial<DraftContent>): void
}

/** Shown when they are asked for, or have somebody. */
const COPIES = [
  ['cc', 'Cc'],
  ['bcc', 'Bcc'],
] as const

export function Heads({ content, mailboxes, faults, onChange }: Props) {
  const { mailboxId, to, subject } = content
  const [asked, setAsked] = useState<readonly string[]>([])
  const own = mailboxes.filter(({ access }) => access === 'write')
  const isShown = (name: 'cc' | 'bcc') => asked.includes(name) || content[name].length > 0
  const fault = faults.of('subject')
  return (
    <div class="heads">
      {own.length > 1 && (
        <div class="field">
          <label for="compose-from">From</label>
          <select
            id="compose-from"
            value={mailboxId}
            onChange={({ currentTarget }) => onChange({ mailboxId: currentTarget.value })}
          >
            {own.map(({ id, address }) => (
              <option key={id} value={id}>
                {address}
              </option>
            ))}
          </select>
        </div>
      )}
      <div class="with-copies">
        <RecipientField
          label="To"
          people={to}
          mailboxId={mailboxId}
          faults={faults.ofPeople('to')}
          onChange={(people) => onChange({ to: people })}
        />
        <div class="actions">
          {COPIES.map(
            ([name, words]) =>
              !isShown(name) && (
                <button key={name} type="button" class="quiet small" onClick={() => setAsked([...asked, name])}>
                  {words}
                </button>
              ),
          )}
        </div>
      </div>
      {COPIES.map(
        ([name, words]) =>
          isShown(name) && (
            <RecipientField
              key={name}
              label={words}
              people={content[name]}
              mailboxId={mailboxId}
              faults={faults.ofPeople(name)}
              isAskedFor={asked.includes(name)}
              onChange={(people) => onChange({ [name]: people })}
            />
          ),
      )}
      <div class="field">
        <label for="compose-subject">Subject</label>
        <input
          id="compose-subject"
          value={subject}
          dir="auto"
          maxLength={998}
          aria-invalid={fault ? 'true' : undefined}
          aria-describedby={fault ? 'compose-subject-fault' : undefined}
          onInput={({ currentTarget }) => onChange({ subject: currentTarget.value })}
          onKeyDown={(event) => {
            // It would press Send.
            if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) event.preventDefault()
          }}
        />
        {fault && (
          <p id="compose-subject-fault" class="fault" role="alert">
            {faultInWords('Subject', fault)}
          </p>
        )}
      </div>
    </div>
  )
}
