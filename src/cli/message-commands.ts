// `mdk message …`
import { recordOperatorAct } from '../audit/record.ts'
import { invalidFields, problem } from '../http/problem.ts'
import type { Tx } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { deleteEntries, endMessages, findForOperator, setHeld } from '../messages/remove-messages.ts'
import { type AddCommands, type Cli, id, print, withDatabase } from './cli.ts'

type Found = NonNullable<Awaited<ReturnType<typeof findForOperator>>>

export const messageCommands: AddCommands = (program, cli) => {
  const message = program.command('message').description('legal hold, purge and deletion of one message')
  message
    .command('hold')
    .description('keep its bytes whatever happens to it')
    .argument('<id>', 'the message', id)
    .action((messageId: string) => change(cli, 'hold', messageId, (tx, found) => setHeld(tx, found, true)))
  message
    .command('release')
    .description('end the hold; what is gone already is removed now')
    .argument('<id>', 'the message', id)
    .action((messageId: string) => change(cli, 'release', messageId, (tx, found) => setHeld(tx, found, false)))
  message
    .command('purge')
    .description('remove its content and show it nowhere; a hold keeps the bytes')
    .argument('<id>', 'the message', id)
    .action((messageId: string) =>
      change(cli, 'purge', messageId, async (tx, found) => {
        refuseOnItsWay(found)
        await endMessages(tx, [found], 'purged')
      }),
    )
  message
    .command('delete')
    .description('delete it for good, from one mailbox or from all')
    .argument('<id>', 'the message', id)
    .option('--mailbox <id>', 'from this mailbox only', id)
    .action((messageId: string, options: { mailbox?: string }) =>
      change(cli, 'delete', messageId, async (tx, found) => {
        refuseOnItsWay(found)
        const { tenantId, mailboxIds } = found
        const from = options.mailbox === undefined ? mailboxIds : mailboxIds.filter((one) => one === options.mailbox)
        if (from.length === 0) throw problem('not_found', { message: 'That mailbox does not have the message.' })
        await deleteEntries(
          tx,
          from.map((mailboxId) => ({ tenantId, messageId, mailboxId })),
          'deleted',
        )
      }),
    )
}

async function change(
  cli: Cli,
  verb: string,
  messageId: Uuid,
  work: (tx: Tx, found: Found) => Promise<unknown>,
): Promise<void> {
  await withDatabase(cli, (database) =>
    database.transaction(async (tx) => {
      const found = await findForOperator(tx, messageId)
      // What was purged or deleted before is as asked already, as long as a hold still keeps it.
      if (!found) throw problem('not_found', { message: 'There is no such message.' })
      await work(tx, found)
      const { tenantId } = found
      await recordOperatorAct(tx, {
        tenantId,
        operation: `message.${verb}`,
        resourceType: 'message',
        resourceId: messageId,
      })
    }),
  )
  const done = { hold: 'held', release: 'released', purge: 'purged', delete: 'deleted' }[verb]
  print(cli, { id: messageId, status: done }, `Message ${messageId} is ${done}`)
}

/** A 202 is a promise: it is submitted first, or fails. */
function refuseOnItsWay({ status }: Found): void {
  if (status !== 'queued') return
  const message = 'The message is still on its way: wait until it is sent or has failed.'
  throw invalidFields([{ path: 'id', code: 'queued', message }])
}
