// Where a message is written: a new one, an answer, or a draft that is gone on with.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { DraftAttachment } from '../../../src/servers/webmail/draft-schemas.ts'
import { go, query } from '../../ui/router.ts'
import { FaultState } from '../../ui/states.tsx'
import { newDraft, type OpenDraft, openDraft } from '../drafts/draft-store.ts'
import { useMailboxes } from '../mailbox.ts'
import { beginDraft } from './begin-draft.ts'
import { ComposeForm } from './compose-form.tsx'

interface Opened {
  draft: OpenDraft
  files: readonly DraftAttachment[]
}

export function ComposePage() {
  const mailboxes = useMailboxes().data?.items
  const asked = query().toString()
  const [opened, setOpened] = useState<Opened>()
  const [fault, setFault] = useState<Error>()
  const [turn, setTurn] = useState(0)
  const current = useRef<OpenDraft | undefined>(undefined)

  useEffect(() => {
    const parameters = new URLSearchParams(asked)
    const id = parameters.get('draft')
    // It got its address as it was saved.
    if (!mailboxes || (id !== null && current.current?.id === id && turn === 0)) return
    let isLeft = false
    setOpened(undefined)
    setFault(undefined)
    const found: Promise<Opened> =
      id !== null
        ? openDraft(id).then((draft) => ({ draft, files: [] }))
        : beginDraft(parameters, mailboxes).then(({ content, files }) => {
            if (isLeft) throw new Error('left')
            return { draft: newDraft(content), files }
          })
    found.then(
      (now) => {
        if (isLeft) return now.draft.close()
        current.current?.close()
        current.current = now.draft
        setOpened(now)
      },
      (error: Error) => !isLeft && setFault(error),
    )
    return () => {
      isLeft = true
    }
  }, [asked, mailboxes === undefined, turn])
  useEffect(
    () => () => {
      current.current?.close()
      current.current = undefined
    },
    [],
  )

  const draft = opened?.draft
  const isSaved = draft?.savedAt.value !== undefined
  // Whoever loads the page again goes on with it.
  useEffect(() => {
    if (draft && isSaved && query().get('draft') !== draft.id) go(`/compose?draft=${draft.id}`, { replace: true })
  }, [draft, isSaved])

  return (
    <main id="main" tabIndex={-1} class="compose">
      {fault && <FaultState fault={fault} again={() => setTurn(turn + 1)} />}
      {!opened && !fault && <div class="loading" aria-busy="true" />}
      {opened && <ComposeForm key={opened.draft.id} {...opened} mailboxes={mailboxes ?? []} />}
    </main>
  )
}
