// `mdk dead-letters …`
import { Option } from 'commander'
import { absent } from '../access/problem.ts'
import { listDeadLetters } from '../lib/queue/dead-letters.ts'
import { OUTBOUND_QUEUE } from '../messages/accept-messages.ts'
import { DRAFT_QUEUE } from '../messages/drafts/send-draft.ts'
import { replayDeadLetter } from '../ops/replay-dead-letter.ts'
import { WEBHOOK_QUEUE } from '../webhooks/delivery-state.ts'
import { type AddCommands, withDatabase, withExamples } from './cli.ts'
import { operator } from './operator.ts'
import { details, print, table } from './print.ts'
import { limit, serial } from './values.ts'

const COLUMNS = {
  id: 'ID',
  queue: 'QUEUE',
  reason: 'REASON',
  subjectId: 'ABOUT',
  deadAt: 'DEAD',
  expiresAt: 'KEPT UNTIL',
}

export const deadLetterCommands: AddCommands = (program, cli) => {
  const letters = program.command('dead-letters').description('work that was given up')
  withExamples(
    letters.command('list').description('list what was given up, why, and how long it is kept; newest first'),
    'dead-letters list',
    'dead-letters list --queue webhooks --limit 20',
  )
    .addOption(new Option('--queue <queue>', 'of one queue only').choices([OUTBOUND_QUEUE, WEBHOOK_QUEUE, DRAFT_QUEUE]))
    .option('--limit <n>', 'the most to list', limit, 100)
    .action(async (options: { queue?: string; limit: number }) => {
      const items = await withDatabase(cli, (database, config) =>
        listDeadLetters(database, options, config.deadLetterTtlMs),
      )
      print(cli, { items }, table(items, COLUMNS, 'No dead letters.'))
    })
  withExamples(letters.command('show').description('one dead letter'), 'dead-letters show 4711')
    .argument('<id>', 'the dead letter', serial)
    .action(async (letterId: number) => {
      const [letter] = await withDatabase(cli, (database, config) =>
        listDeadLetters(database, { id: letterId, limit: 1 }, config.deadLetterTtlMs),
      )
      if (!letter) throw absent('dead letter')
      print(cli, letter, details(letter, COLUMNS))
    })
  withExamples(letters.command('replay').description('do the work again from the start'), 'dead-letters replay 4711')
    .argument('<id>', 'the dead letter', serial)
    .action(async (letterId: number) => {
      const { queue, subjectId } = await withDatabase(cli, (database) =>
        replayDeadLetter(database, operator(), letterId),
      )
      print(cli, { id: letterId, queue, subjectId, status: 'pending' }, `Dead letter ${letterId} is back in ${queue}`)
    })
}
