// `mdk activity …`
import { rebuildActivity } from '../activity/rebuild-activity.ts'
import { type AddCommands, withDatabase, withExamples } from './cli.ts'
import { theTenant } from './named.ts'
import { operator } from './operator.ts'
import { print } from './print.ts'

export const activityCommands: AddCommands = (program, cli) => {
  const activity = program.command('activity').description('counts of events, and by which words messages are found')
  withExamples(
    activity.command('rebuild').description('make them anew from the log and the messages; may run beside the service'),
    'activity rebuild',
    'activity rebuild --tenant "Example Ltd"',
  )
    .option('--tenant <tenant>', 'of this tenant only, by id or name')
    .action(async ({ tenant }: { tenant?: string }) => {
      const showsProgress = process.stderr.isTTY
      const done = await withDatabase(cli, async (database) => {
        const tenantId = tenant === undefined ? null : (await theTenant(database, tenant)).id
        return rebuildActivity(database, operator(), tenantId, ({ followed, events }) => {
          if (showsProgress) process.stderr.write(`\r${followed} of ${events} events`)
        })
      })
      if (showsProgress) process.stderr.write('\n')
      print(cli, done, `Rebuilt: ${done.environments} environments, ${done.events} events`)
    })
}
