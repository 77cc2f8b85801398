// `mdk dead-letters …`
import { Option } from 'commander'
import { problem } from '../access/problem.ts'
import { recordOperatorAct } from '../audit/record.ts'
import { listDeadLetters, replayDeadLetter } from '../lib/queue/dead-letters.ts'
import { type Db, sql } from '../lib/sql.ts'
import { OUTBOUND_QUEUE } from '../messages/accept-messages.ts'
import { WEBHOOK_QUEUE } from '../webhooks/delivery-state.ts'
import { findDeliveryOwner, replayDelivery } from '../webhooks/replay.ts'
import { type AddCommands, count, print, serial, table, withDatabase } from './cli.ts'

/** The sender was notified of recipients that have failed, and they stay failed. */
async function isOpen(db: Db, tenantId: string, messageId: string): Promise<boolean> {
  const row = await db.first(sql`
    select from message_states where tenant_id = ${tenantId} and message_id = ${messageId} and open > 0`)
  return row !== undefined
}

export const deadLetterCommands: AddCommands = (program, cli) => {
  const letters = program.command('dead-letters').description('work that was given up')
  letters
    .command('list')
    .description('list what was given up, why, and how long it is kept')
    .addOption(new Option('--queue <queue>', 'of one queue only').choices([OUTBOUND_QUEUE, WEBHOOK_QUEUE]))
    .option('--limit <n>', 'the most to list', count, 100)
    .action(async (options: { queue?: string; limit: number }) => {
      const items = await withDatabase(cli, (database, config) =>
        listDeadLetters(database, options, config.deadLetterTtlMs),
      )
      const columns = {
        id: 'ID',
        queue: 'QUEUE',
        reason: 'REASON',
        subjectId: 'ABOUT',
        deadAt: 'DEAD',
        expiresAt: 'KEPT UNTIL',
      }
      print(cli, { items }, table(items, columns, 'No dead letters.'))
    })
  letters
    .command('replay')
    .description('do the work again from the start')
    .argument('<id>', 'the dead letter', serial)
    .action(async (letterId: number) => {
      const { queue, subjectId } = await withDatabase(cli, (database) =>
        database.transaction(async (tx) => {
          const replayed = await replayDeadLetter(tx, letterId)
          if (!replayed) throw problem('not_found', { message: 'There is no such dead letter.' })
          // A dead delivery rises by a cycle of its own; its old job would come to nothing.
          if (replayed.queue === WEBHOOK_QUEUE) {
            const owner = await findDeliveryOwner(tx, replayed.tenantId, replayed.subjectId)
            if (!owner) throw problem('not_found', { message: 'Its delivery is gone.' })
            await replayDelivery(tx, owner, replayed.subjectId)
          } else if (!(await isOpen(tx, replayed.tenantId, replayed.subjectId))) {
            throw problem('not_found', { message: 'Its message is sent, failed or gone: there is nothing left to do.' })
          }
          await recordOperatorAct(tx, {
            tenantId: replayed.tenantId,
            operation: 'dead-letters.replay',
            resourceType: replayed.queue,
            resourceId: replayed.subjectId,
          })
          return replayed
        }),
      )
      print(cli, { id: letterId, queue, subjectId, status: 'pending' }, `Dead letter ${letterId} is back in ${queue}`)
    })
}
