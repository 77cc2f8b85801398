// `mdk dead-letters …`
import { recordOperatorAct } from '../audit/record.ts'
import { problem } from '../http/problem.ts'
import { listDeadLetters, replayDeadLetter } from '../lib/queue/jobs.ts'
import { type AddCommands, count, print, table, withDatabase } from './cli.ts'

export const deadLetterCommands: AddCommands = (program, cli) => {
  const letters = program.command('dead-letters').description('work that was given up')
  letters
    .command('list')
    .option('--queue <queue>', 'of one queue only')
    .option('--limit <n>', 'how many at most', count, 100)
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
    .argument('<id>', 'the dead letter', count)
    .action(async (letterId: number) => {
      const { queue, subjectId } = await withDatabase(cli, (database) =>
        database.transaction(async (tx) => {
          const replayed = await replayDeadLetter(tx, letterId)
          if (!replayed) throw problem('not_found', { message: 'There is no such dead letter.' })
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
