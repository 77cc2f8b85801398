// What may be done with a message: what an Admin may not do is not there.
import { useState } from 'preact/hooks'
import type { ShownMessage, TriedAtOnce } from '../../../src/servers/console/message-schemas.ts'
import { Ask } from '../../ui/ask.tsx'
import { attempt } from '../../ui/attempt.ts'
import { changed } from '../../ui/query.ts'
import { send } from '../../ui/request.ts'
import { go } from '../../ui/router.ts'
import { toast } from '../../ui/toast.tsx'
import { here, isOwner } from '../place.ts'

/** Asked for before they are done. */
const ASKED = {
  cancel: {
    verb: 'Cancel message',
    title: 'Cancel this message?',
    words: 'Whoever has not got it yet gets nothing, and counts as failed. It cannot be taken back.',
    done: 'The message is cancelled.',
  },
  purge: {
    verb: 'Purge',
    title: 'Purge this message?',
    words:
      'What is in it is removed from every mailbox, for good, and it shows nowhere any more. A hold keeps its bytes.',
    done: 'The message is purged.',
  },
  delete: {
    verb: 'Delete',
    title: 'Delete this message?',
    words: 'It is deleted from every mailbox, for good, as its users would. Webhooks are told by message.deleted.',
    done: 'The message is deleted.',
  },
} as const

type Asked = keyof typeof ASKED

export function MessageActions({ message: { id, timeline } }: { message: ShownMessage }) {
  const [asked, setAsked] = useState<Asked>()
  const path = `/data/messages/${id}`
  const isWaiting = timeline.waiting !== null && timeline.waiting.for !== 'submission'

  async function tryNow(): Promise<void> {
    const { state } = await send<TriedAtOnce>('POST', here(`${path}/try-now`))
    toast(state === 'due' ? 'It is tried next.' : 'It is being submitted right now.')
    await changed('/data/messages')
  }

  async function setHeld(held: boolean): Promise<void> {
    await send('POST', here(`${path}/${held ? 'hold' : 'release'}`))
    toast(held ? 'The message is held.' : 'The message is no longer held.')
    await changed('/data/messages')
  }

  async function end(what: Asked): Promise<void> {
    if (what === 'delete') await send('DELETE', here(path))
    else await send('POST', here(`${path}/${what}`))
    toast(ASKED[what].done)
    // What is gone has no page any more.
    if (what !== 'cancel') go(here('/messages'))
    await changed('/data/messages')
  }

  return (
    <>
      {isWaiting && (
        <button type="button" onClick={() => attempt(tryNow)}>
          Try now
        </button>
      )}
      {isOwner() && (
        <>
          {timeline.waiting && (
            <button type="button" onClick={() => setAsked('cancel')}>
              Cancel message
            </button>
          )}
          <button type="button" onClick={() => attempt(() => setHeld(!timeline.isHeld))}>
            {timeline.isHeld ? 'Release' : 'Hold'}
          </button>
          <button type="button" onClick={() => setAsked('purge')}>
            Purge
          </button>
          <button type="button" onClick={() => setAsked('delete')}>
            Delete
          </button>
        </>
      )}
      {asked && (
        <Ask
          title={ASKED[asked].title}
          verb={ASKED[asked].verb}
          onYes={() => end(asked)}
          onClose={() => setAsked(undefined)}
        >
          {ASKED[asked].words}
        </Ask>
      )}
    </>
  )
}
