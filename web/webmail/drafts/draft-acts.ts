// What is done with a draft from its row. Nothing here throws: what goes wrong is said.
import { toast } from '../../ui/toast.tsx'
import type { OpenDraft } from './draft-parts.ts'
import { withDraft } from './draft-store.ts'

export const discard = (id: string): Promise<void> => act(id, (draft) => draft.discard())

/** It is a draft again. */
export const cancelSending = (id: string): Promise<void> => act(id, (draft) => draft.takeBack())

/** @throws Refusal */
export function sendAt(id: string, at: Date | undefined): Promise<void> {
  return withDraft(id, async (draft) => {
    await draft.takeBack()
    await draft.send(at)
  })
}

export const sendNow = (id: string): Promise<void> => sendAt(id, undefined).catch(tell)

function act(id: string, what: (draft: OpenDraft) => Promise<void>): Promise<void> {
  return withDraft(id, what).catch(tell)
}

const tell = (error: Error): void => void toast(error.message)
