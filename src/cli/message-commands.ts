// `mdk message …`
import { operatorIn, productionOf, type TenantOperator } from '../access/actor.ts'
import { absent, problem } from '../access/problem.ts'
import type { Database, Db } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { cancelMessage } from '../messages/cancel-message.ts'
import { deleteMessage } from '../messages/delete-message.ts'
import { holdMessage } from '../messages/hold-message.ts'
import { ownerOfMessage } from '../messages/owner-of-message.ts'
import { pageMessages } from '../messages/page-messages.ts'
import { purgeMessage } from '../messages/purge-message.ts'
import { readMessage } from '../messages/read-message.ts'
import { releaseMessage } from '../messages/release-message.ts'
import { messageTimeline } from '../messages/timeline/message-timeline.ts'
import { tryMessageNow } from '../messages/try-message-now.ts'
import { type AddCommands, type Cli, withDatabase, withExamples } from './cli.ts'
import { messageText } from './message-text.ts'
import { type Place, theMailbox, theRealm } from './named.ts'
import { operator } from './operator.ts'
import { print, table } from './print.ts'
import { timelineText } from './timeline-text.ts'
import { id, limit } from './values.ts'

interface ListOptions extends Place {
  mailbox?: string
  q?: string
  limit: number
  cursor?: string
}

export const messageCommands: AddCommands = (program, cli) => {
  const message = program
    .command('message')
    .description('look at messages; try one again, cancel, hold, purge and delete it')
  withExamples(
    message.command('list').description('the messages of a tenant, a mailbox or a sandbox, newest first'),
    'message list --tenant "Example Ltd"',
    'message list --mailbox hello@example.com --limit 20',
    'message list --app "Shop sandbox"',
    'message list --tenant "Example Ltd" --q "ada@example.com"',
  )
    .option('--tenant <tenant>', 'whose messages, by id or name')
    .option('--mailbox <mailbox>', 'of this mailbox only, by id or address')
    .option('--app <app>', 'of what this application sees, by id or name')
    .option('--q <words>', 'that have these words in the subject, the sender or the recipients, or this id')
    .option('--limit <n>', 'the most to list', limit, 100)
    .option('--cursor <cursor>', 'go on behind this one, which the page before gave as nextCursor')
    .action(async (options: ListOptions) => {
      const page = await withDatabase(cli, (database) => pageOf(database, options))
      const rows = page.items.map(({ from, to, ...item }) => ({
        ...item,
        from: from?.address,
        to: to.map(({ address }) => address),
      }))
      const columns = { id: 'ID', createdAt: 'AT', status: 'STATUS', from: 'FROM', to: 'TO', subject: 'SUBJECT' }
      const more = page.nextCursor === null ? '' : `\n\nMore: --cursor ${page.nextCursor}`
      print(cli, page, table(rows, columns, 'No messages.') + more)
    })
  withExamples(
    message.command('show').description('one message, what became of each recipient, and what happened to it'),
    'message show 01a1fc13-1c8d-765b-adca-961947868a21',
  )
    .argument('<id>', 'the message', id)
    .action(async (messageId: string) => {
      const { found, timeline } = await withDatabase(cli, async (database) => {
        const actor = operatorIn(operator(), await ownerOfMessage(database, messageId))
        const found = await readMessage(database, actor, messageId)
        if (!found) throw absent('message')
        return { found, timeline: await messageTimeline(database, actor, messageId) }
      })
      print(cli, { ...found, timeline }, `${messageText(found)}\n\n${timelineText(timeline)}`)
    })
  withExamples(
    message.command('retry').description('try it at once, if it waits to be submitted'),
    'message retry 01a1fc13-1c8d-765b-adca-961947868a21',
  )
    .argument('<id>', 'the message', id)
    .action(async (messageId: string) => {
      const { state } = await withDatabase(cli, async (database) =>
        tryMessageNow(database, operatorIn(operator(), await ownerOfMessage(database, messageId)), messageId),
      )
      const words = state === 'due' ? 'is tried now' : 'is being submitted already'
      print(cli, { id: messageId, state }, `Message ${messageId} ${words}`)
    })
  for (const [name, status, verb, description] of [
    ['cancel', 'cancelled', cancelMessage, 'end it, if it waits to be submitted: who has not got it fails'],
    ['hold', 'held', holdMessage, 'keep its bytes, whatever happens to the message'],
    ['release', 'released', releaseMessage, 'end the hold; a message that is already gone is removed now'],
    ['purge', 'purged', purgeMessage, 'remove its content and show it nowhere; a hold keeps the bytes'],
  ] as const) {
    withExamples(message.command(name).description(description), `message ${name} 01a1fc13-1c8d-765b-adca-961947868a21`)
      .argument('<id>', 'the message', id)
      .action((messageId: string) => act(cli, messageId, status, verb))
  }
  withExamples(
    message.command('delete').description('delete it for good, from one mailbox or from all'),
    'message delete 01a1fc13-1c8d-765b-adca-961947868a21',
    'message delete 01a1fc13-1c8d-765b-adca-961947868a21 --mailbox hello@example.com',
  )
    .argument('<id>', 'the message', id)
    .option('--mailbox <mailbox>', 'from this mailbox only, by id or address')
    .action((messageId: string, { mailbox }: { mailbox?: string }) =>
      act(cli, messageId, 'deleted', async (database, actor) => {
        const mailboxId = mailbox === undefined ? undefined : (await theMailbox(database, mailbox)).id
        await deleteMessage(database, actor, messageId, mailboxId)
      }),
    )
}

/** @throws Problem as theRealm, invalid_cursor, not_found */
async function pageOf(db: Db, { mailbox, limit, cursor, q, ...place }: ListOptions) {
  const found = mailbox === undefined ? undefined : await theMailbox(db, mailbox)
  const isPlaced = place.app !== undefined || place.tenant !== undefined
  if (!found && !isPlaced) {
    throw problem('validation_error', { message: 'Give --tenant, --mailbox, or --app for a sandbox.' })
  }
  const whose = found && !isPlaced ? productionOf(found.tenantId) : await theRealm(db, place)
  const actor = operatorIn(operator(), whose)
  return pageMessages(db, actor, {
    limit,
    ...(cursor === undefined ? {} : { cursor }),
    ...(q === undefined ? {} : { q }),
    ...(found ? { mailboxId: found.id } : {}),
  })
}

async function act(
  cli: Cli,
  messageId: Uuid,
  status: string,
  verb: (database: Database, actor: TenantOperator, id: Uuid) => Promise<void>,
): Promise<void> {
  await withDatabase(cli, async (database) =>
    verb(database, operatorIn(operator(), await ownerOfMessage(database, messageId)), messageId),
  )
  print(cli, { id: messageId, status }, `Message ${messageId} is ${status}`)
}
