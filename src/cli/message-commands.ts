// `mdk message …`
import { operatorIn, type TenantOperator } from '../access/actor.ts'
import type { Database } from '../lib/sql.ts'
import type { Uuid } from '../lib/uuid.ts'
import { deleteMessage } from '../messages/delete-message.ts'
import { holdMessage } from '../messages/hold-message.ts'
import { ownerOfMessage } from '../messages/owner-of-message.ts'
import { purgeMessage } from '../messages/purge-message.ts'
import { releaseMessage } from '../messages/release-message.ts'
import { type AddCommands, type Cli, id, print, withDatabase } from './cli.ts'
import { operator } from './operator.ts'

export const messageCommands: AddCommands = (program, cli) => {
  const message = program.command('message').description('legal hold, purge and deletion of one message')
  message
    .command('hold')
    .description('keep its bytes, whatever happens to the message')
    .argument('<id>', 'the message', id)
    .action((messageId: string) => act(cli, messageId, 'held', holdMessage))
  message
    .command('release')
    .description('end the hold; a message that is already gone is removed now')
    .argument('<id>', 'the message', id)
    .action((messageId: string) => act(cli, messageId, 'released', releaseMessage))
  message
    .command('purge')
    .description('remove its content and show it nowhere; a hold keeps the bytes')
    .argument('<id>', 'the message', id)
    .action((messageId: string) => act(cli, messageId, 'purged', purgeMessage))
  message
    .command('delete')
    .description('delete it for good, from one mailbox or from all')
    .argument('<id>', 'the message', id)
    .option('--mailbox <id>', 'from this mailbox only', id)
    .action((messageId: string, { mailbox }: { mailbox?: string }) =>
      act(cli, messageId, 'deleted', (database, actor) => deleteMessage(database, actor, messageId, mailbox)),
    )
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
