// The form in which a message is written, and what its buttons and keys do.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { DraftAttachment, DraftContent } from '../../../src/servers/webmail/draft-schemas.ts'
import { Ask } from '../../ui/ask.tsx'
import { plainWords } from '../../ui/plain-words.ts'
import { go } from '../../ui/router.ts'
import { DraftConflict } from '../drafts/draft-conflict.tsx'
import type { OpenDraft } from '../drafts/draft-store.ts'
import { SendLaterDialog } from '../drafts/send-later-dialog.tsx'
import { type Mailbox, tabTitle } from '../mailbox.ts'
import { AboutDraft, DraftState } from './about-draft.tsx'
import { FORGOTTEN_WORDS, type Forgotten, forgottenIn } from './before-sending.ts'
import { lines } from './begin-draft.ts'
import { Body } from './body.tsx'
import { shownIn } from './clean-body.ts'
import { useDropped } from './dropped.ts'
import type { EditorHandle } from './editor.tsx'
import { Files } from './files.tsx'
import { Heads } from './heads.tsx'
import { quoteMessage } from './quote-message.ts'
import { quotedText } from './quote-text.ts'
import { Quoted } from './quoted.tsx'
import { faultsByField } from './send-faults.ts'
import { signAnew } from './sign-anew.ts'
import { useTakeShown } from './take-shown.ts'
import { createUploads } from './uploads.ts'

interface Props {
  draft: OpenDraft
  /** Those that were known before it was saved. */
  files: readonly DraftAttachment[]
  mailboxes: readonly Mailbox[]
}

const TITLES = { new: 'New message', reply: 'Reply', reply_all: 'Reply to all', forward: 'Forward' } as const

/** When it is to be sent. Undefined: at once. */
interface Sending {
  at: Date | undefined
}

export function ComposeForm({ draft, files: begunWith, mailboxes }: Props) {
  const content = draft.content.value
  const state = draft.state.value
  const { kind, body, quote, attachmentIds, format } = content
  const editor = useRef<EditorHandle>(undefined)
  const form = useRef<HTMLFormElement>(null)
  const [fault, setFault] = useState<Error>()
  const [waits, setWaits] = useState<Sending>()
  const [forgotten, setForgotten] = useState<{ what: Forgotten[]; sending: Sending }>()
  const [asksWhen, setAsksWhen] = useState(false)
  const picker = useRef<HTMLInputElement>(null)

  const known = useRef(new Map(begunWith.map((file) => [file.id, file])))
  for (const file of draft.attachments.value) known.current.set(file.id, file)
  const there = attachmentIds.flatMap((id) => known.current.get(id) ?? [])
  // Plain text shows none: they go along as files, and whoever sends it sees that.
  const shown = format === 'text' ? new Set() : new Set([...shownIn(body), ...shownIn(quote?.html ?? '')])
  const listed = there.filter(({ id }) => !shown.has(id))

  const takeShown = useTakeShown(draft, editor, quote?.html)

  const uploads = useMemo(
    () =>
      createUploads({
        mailboxId: () => draft.content.peek().mailboxId,
        has: () => {
          const ids = draft.content.peek().attachmentIds
          const sizes = ids.map((id) => known.current.get(id)?.sizeBytes ?? 0)
          return { files: ids.length, bytes: sizes.reduce((sum, size) => sum + size, 0) }
        },
        onUploaded: (file, { isInline }) => {
          known.current.set(file.id, file)
          draft.attach(file)
          if (isInline) editor.current?.insertImage(file.id, plainWords(file.filename))
        },
      }),
    [draft],
  )
  useEffect(() => () => uploads.stop(), [uploads])
  const onTheirWay = uploads.uploads.value

  const attach = (given: readonly File[], inline = false) => {
    const images = inline && format === 'html' ? given.filter(({ type }) => type.startsWith('image/')) : []
    uploads.add(images, { isInline: true })
    uploads.add(given.filter((file) => !images.includes(file)))
  }
  const isOver = useDropped(attach)

  const title = content.subject.trim() || TITLES[kind]
  useEffect(() => {
    document.title = tabTitle(plainWords(title), mailboxes)
  }, [title, mailboxes])

  // Where one begins: with whom it is to, or with what is said.
  useEffect(() => {
    if (content.to.length === 0) form.current?.querySelector<HTMLElement>('[role="combobox"]')?.focus()
  }, [])
  const onEditor = (handle: EditorHandle) => {
    editor.current = handle
    if (content.to.length > 0) handle.focus()
  }

  const leave = () => go(content.answers === null ? '/inbox' : `/message/${content.answers}`)

  async function press(sending: Sending): Promise<void> {
    if (waits || draft.state.peek() === 'due') return
    takeTyped()
    setFault(undefined)
    const written = editor.current?.text() ?? ''
    const along = draft.content.peek().attachmentIds.length + onTheirWay.length
    const what = forgottenIn(draft.content.peek(), written, along - shown.size)
    if (what.length > 0) setForgotten({ what, sending })
    else await sendAsSoonAsThere(sending)
  }

  async function sendAsSoonAsThere(sending: Sending): Promise<void> {
    setForgotten(undefined)
    setWaits(sending)
  }

  // It goes as soon as all of it is there.
  const isUploading = onTheirWay.some((upload) => upload.fault === undefined)
  const hasFailed = onTheirWay.some((upload) => upload.fault !== undefined)
  const isSending = useRef(false)
  useEffect(() => {
    if (!waits || isUploading || isSending.current) return
    if (hasFailed) {
      setWaits(undefined)
      setFault(new Error('Not all files were uploaded. Try again, or remove them.'))
      return
    }
    isSending.current = true
    takeShown()
      .then(() => draft.send(waits.at))
      .then(leave, (error: Error) => setFault(error))
      .finally(() => {
        isSending.current = false
        setWaits(undefined)
      })
  }, [waits, isUploading, hasFailed])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]')) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      void press({ at: undefined })
    } else if (event.key === 'Escape') {
      event.preventDefault()
      leave()
    }
  }

  const removeFile = (id: string) => draft.change({ attachmentIds: attachmentIds.filter((each) => each !== id) })
  const removeQuote = () => {
    const gone = shownIn(quote?.html ?? '')
    const left = attachmentIds.filter((id) => !gone.has(id) || shownIn(body).has(id))
    draft.change({ quote: null, attachmentIds: left })
  }
  const quoteAsText = async () => {
    if (!quote) return
    const { text } = await quoteMessage(quote.html, {})
    const words = `${quote.attribution}\n${quotedText(text)}`
    removeQuote()
    draft.change({ body: format === 'text' ? `${body}\n\n${words}` : `${body}<div><br></div>${lines(words)}` })
  }

  // Of a save too: who is not told that it was refused thinks that it is kept.
  const refusal = fault ?? draft.fault.value
  const refused = useMemo(() => draft.content.peek(), [refusal])
  const faults = faultsByField(refusal, (field) => isSame(field, content, refused))
  const isFixed = state === 'due' || state === 'gone'
  return (
    <form
      ref={form}
      class={isOver ? 'over' : undefined}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void press({ at: undefined })
      }}
      onKeyDown={onKeyDown}
    >
      <header class="beside apart">
        <h1>{TITLES[kind]}</h1>
        <button type="button" class="quiet small" onClick={leave}>
          Close
        </button>
      </header>
      <AboutDraft draft={draft} />
      <DraftConflict draft={draft} />
      {faults.above.length > 0 && (
        <p class="alert bad" role="alert">
          {faults.above.join(' ')}
        </p>
      )}
      <fieldset disabled={isFixed} class="stack tight">
        <legend class="unseen">What is sent</legend>
        <Heads content={content} mailboxes={mailboxes} faults={faults} onChange={changeHeads} />
        <Body
          content={content}
          isReadOnly={isFixed}
          isFile={(id) => draft.content.peek().attachmentIds.includes(id)}
          onChange={(part) => draft.change(part)}
          onImages={(given) => attach(given, true)}
          onReady={onEditor}
        />
        {quote && <Quoted quote={quote} fileIds={attachmentIds} onRemove={removeQuote} onText={quoteAsText} />}
        <Files
          files={listed}
          uploads={onTheirWay}
          onRemove={removeFile}
          onCancel={uploads.cancel}
          onAgain={uploads.again}
        />
        <div class="beside apart foot">
          <div class="actions">
            <button
              type="submit"
              class="primary"
              aria-disabled={waits ? 'true' : undefined}
              aria-keyshortcuts="Control+Enter"
              // What the field that is left then says would move the button away from the pointer.
              onMouseDown={(event) => event.preventDefault()}
            >
              Send
            </button>
            <button type="button" onClick={() => setAsksWhen(true)}>
              Send later
            </button>
            <button type="button" onClick={() => picker.current?.click()}>
              Attach files
            </button>
            <button type="button" class="quiet danger" onClick={() => void discard()}>
              Discard
            </button>
          </div>
          <DraftState draft={draft} waits={waits !== undefined && isUploading} />
        </div>
      </fieldset>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          attach([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
      />
      {forgotten && (
        <Ask
          title="Send it as it is?"
          verb="Send"
          onYes={() => sendAsSoonAsThere(forgotten.sending)}
          onClose={() => setForgotten(undefined)}
        >
          {forgotten.what.map((one) => FORGOTTEN_WORDS[one]).join(' ')}
        </Ask>
      )}
      {asksWhen && <SendLaterDialog onSend={(at) => press({ at })} onClose={() => setAsksWhen(false)} />}
    </form>
  )

  /** Is not asked for: it can be undone. */
  async function discard(): Promise<void> {
    setFault(undefined)
    await draft.discard().then(leave, setFault)
  }

  function changeHeads(part: Partial<DraftContent>): void {
    const { mailboxId: former } = draft.content.peek()
    draft.change(part)
    if (part.mailboxId !== undefined) void signAnew(draft, former)
  }
}

/** What is being typed in a field of addresses becomes one as the field is left. */
function takeTyped(): void {
  const field = document.activeElement
  if (!(field instanceof HTMLElement && field.matches('[role="combobox"]'))) return
  field.blur()
  field.focus()
}

/** What is quoted counts with the text. */
function isSame(field: string, one: DraftContent, other: DraftContent): boolean {
  const of = (content: DraftContent) => {
    const { [field as keyof DraftContent]: value, quote: quoted } = content
    return JSON.stringify([value, field === 'body' && quoted])
  }
  return of(one) === of(other)
}
