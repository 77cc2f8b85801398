// `mdk message …`
import { invalidFields, problem } from '../access/problem.ts'
import { recordOperatorAct, wasRecorded } from '../audit/record.ts'
import type { Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { deleteEntries } from '../messages/delete-entries.ts'
import { endMessages } from '../messages/end-messages.ts'
import { isOnItsWay, lockForOperator, type MessageRef, mailboxesOf } from '../messages/lock-message.ts'
import { setHeld } from '../messages/set-held.ts'
import { type AddCommands, type Cli, id, print, withDatabase } from './cli.ts'

export const messageCommands: AddCommands = (program, cli) => {
  const message = program.command('message').description('legal hold, purge and deletion of one message')
  message
    .command('hold')
    .description('keep its bytes, whatever happens to the message')
    .argument('<id>', 'the message', id)
    .action((messageId: string) => change(cli, 'hold', messageId, (tx, found) => setHeld(tx, found, true)))
  message
    .command('release')
    .description('end the hold; a message that is already gone is removed now')
    .argument('<id>', 'the message', id)
    .action((messageId: string) => change(cli, 'release', messageId, (tx, found) => setHeld(tx, found, false)))
  message
    .command('purge')
    .description('remove its content and show it nowhere; a hold keeps the bytes')
    .argument('<id>', 'the message', id)
    .action((messageId: string) =>
      change(cli, 'purge', messageId, (tx, found) => end(tx, found, () => endMessages(tx, [found], 'purged'))),
    )
  message
    .command('delete')
    .description('delete it for good, from one mailbox or from all')
    .argument('<id>', 'the message', id)
    .option('--mailbox <id>', 'from this mailbox only', id)
    .action((messageId: string, { mailbox }: { mailbox?: string }) =>
      change(cli, 'delete', messageId, (tx, found) => end(tx, found, () => deleteFrom(tx, found, mailbox))),
    )
}

async function change(
  cli: Cli,
  verb: 'hold' | 'release' | 'purge' | 'delete',
  messageId: Uuid,
  work: (tx: Tx, found: Found) => Promise<void>,
): Promise<void> {
  const operation = `message.${verb}`
  await withDatabase(cli, (database) =>
    database.transaction(async (tx) => {
      const found = await lockForOperator(tx, messageId)
      // Asked again, perhaps because the answer was lost.
      if (!found && ENDING.includes(operation) && (await wasRecorded(tx, ENDING, messageId))) return
      if (!found) throw problem('not_found', { message: 'There is no such message.' })
      await work(tx, found)
      const { tenantId } = found
      await recordOperatorAct(tx, {
        tenantId,
        operation,
        resourceType: 'message',
        resourceId: messageId,
      })
    }),
  )
  const done = { hold: 'held', release: 'released', purge: 'purged', delete: 'deleted' }[verb]
  print(cli, { id: messageId, status: done }, `Message ${messageId} is ${done}`)
}

const ENDING = ['message.purge', 'message.delete']

type Found = NonNullable<Awaited<ReturnType<typeof lockForOperator>>>

/** What is gone already, and only a hold still keeps, is as asked. A 202 is a promise: that is kept first. */
async function end(tx: Tx, found: Found, work: () => Promise<void>): Promise<void> {
  if (found.gone !== null) return
  if (await isOnItsWay(tx, found)) {
    const message = 'The message is still on its way: wait until it is sent to everyone or has failed.'
    throw invalidFields([{ path: 'id', code: 'queued', message }])
  }
  await work()
}

async function deleteFrom(tx: Tx, { tenantId, id: messageId }: MessageRef, mailbox?: Uuid): Promise<void> {
  const all = await mailboxesOf(tx, { tenantId, id: messageId })
  const from = mailbox === undefined ? all : all.filter((one) => one === mailbox)
  if (from.length === 0) throw problem('not_found', { message: 'That mailbox does not have the message.' })
  const entries = from.map((mailboxId) => ({ tenantId, messageId, mailboxId }))
  await deleteEntries(tx, entries, 'deleted')
}
