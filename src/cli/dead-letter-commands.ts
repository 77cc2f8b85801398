// `mdk dead-letters …`
import { Option } from 'commander'
import { listDeadLetters } from '../lib/queue/dead-letters.ts'
import { OUTBOUND_QUEUE } from '../messages/accept-messages.ts'
import { replayDeadLetter } from '../ops/replay-dead-letter.ts'
import { WEBHOOK_QUEUE } from '../webhooks/delivery-state.ts'
import { type AddCommands, count, print, serial, table, withDatabase } from './cli.ts'
import { operator } from './operator.ts'

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
        replayDeadLetter(database, operator(), letterId),
      )
      print(cli, { id: letterId, queue, subjectId, status: 'pending' }, `Dead letter ${letterId} is back in ${queue}`)
    })
}
