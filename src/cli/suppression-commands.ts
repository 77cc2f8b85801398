// `mdk suppression …`
import { createReadStream } from 'node:fs'
import { operatorIn, type TenantOperator } from '../access/actor.ts'
import type { Db } from '../lib/sql.ts'
import { isUuid } from '../lib/uuid.ts'
import { addSuppression } from '../suppressions/add-suppression.ts'
import { type ImportReport, importSuppressions } from '../suppressions/import-suppressions.ts'
import { listSuppressions } from '../suppressions/list-suppressions.ts'
import { removeSuppression } from '../suppressions/remove-suppression.ts'
import { type AddCommands, type Cli, withDatabase, withExamples } from './cli.ts'
import { type Place, theRealm } from './named.ts'
import { operator } from './operator.ts'
import { complain, print, table } from './print.ts'
import { limit } from './values.ts'

const TENANT = ['--tenant <tenant>', 'whose, by id or name'] as const
const APP = ['--app <app>', 'of what this application sends, by id or name: for a sandbox'] as const

export const suppressionCommands: AddCommands = (program, cli) => {
  const suppression = program
    .command('suppression')
    .description('addresses that a tenant has stopped: they get no mail')
  withExamples(
    suppression.command('list').description('the stopped addresses of a tenant or a sandbox, newest first'),
    'suppression list --tenant "Example Ltd"',
    'suppression list --app "Shop sandbox" --limit 20',
  )
    .option(...TENANT)
    .option(...APP)
    .option('--limit <n>', 'the most to list', limit, 100)
    .option('--cursor <cursor>', 'go on behind this one, which the page before gave as nextCursor')
    .action(async ({ limit, cursor, ...place }: Place & { limit: number; cursor?: string }) => {
      const page = await withDatabase(cli, async (database) =>
        listSuppressions(database, await actorIn(database, place), { limit, cursor }),
      )
      const columns = { address: 'ADDRESS', reason: 'REASON', createdAt: 'SINCE', note: 'NOTE', id: 'ID' }
      const more = page.nextCursor === null ? '' : `\n\nMore: --cursor ${page.nextCursor}`
      print(cli, page, table(page.items, columns, 'No stopped addresses.') + more)
    })
  withExamples(
    suppression.command('add').description('stop mail to an address'),
    'suppression add ada@example.com --tenant "Example Ltd" --note "asked us to"',
  )
    .argument('<address>', 'the address')
    .option(...TENANT)
    .option(...APP)
    .option('--note <text>', 'why, for whoever looks later')
    .action(async (address: string, { note, ...place }: Place & { note?: string }) => {
      const stopped = await withDatabase(cli, async (database) =>
        addSuppression(database, await actorIn(database, place), { address, ...(note === undefined ? {} : { note }) }),
      )
      print(cli, stopped, `${stopped.address} is ${stopped.added ? '' : 'already '}stopped (${stopped.id})`)
    })
  withExamples(
    suppression.command('remove').description('let an address back: mail goes to it again'),
    'suppression remove ada@example.com --tenant "Example Ltd"',
  )
    .argument('<address>', 'the address, or the id of its entry')
    .option(...TENANT)
    .option(...APP)
    .action(async (text: string, place: Place) => {
      const { id } = await withDatabase(cli, async (database) =>
        removeSuppression(
          database,
          await actorIn(database, place),
          isUuid(text) ? { id: text.toLowerCase() } : { address: text },
        ),
      )
      print(cli, { id, status: 'removed' }, `${text} is let back`)
    })
  withExamples(
    suppression
      .command('import')
      .description('stop mail to every address of a file: one a line, or CSV with a column called email'),
    'suppression import stopped.csv --tenant "Example Ltd"',
    'suppression import - --tenant "Example Ltd" < stopped.txt',
  )
    .argument('<file>', 'the file, or - for standard input')
    .option(...TENANT)
    .option(...APP)
    .action(async (file: string, place: Place) => {
      const report = await withDatabase(cli, async (database) =>
        importSuppressions(database, await actorIn(database, place), textOf(file)),
      )
      tell(cli, report)
    })
}

/** @throws as theRealm */
async function actorIn(db: Db, place: Place): Promise<TenantOperator> {
  return operatorIn(operator(), await theRealm(db, place))
}

/** Decoded as it is read, which throws when there is no such file. */
function textOf(file: string): AsyncIterable<string> {
  const stream = file === '-' ? process.stdin : createReadStream(file)
  return stream.setEncoding('utf8') as AsyncIterable<string>
}

/** Lines that are no address are told one by one, and make the command fail; the others are stopped all the same. */
function tell(cli: Cli, report: ImportReport): void {
  for (const { line, text, message } of report.faults) {
    complain(cli, 'validation_error', `line ${line}: ${JSON.stringify(text)} ${message}`)
  }
  const more = report.refused - report.faults.length
  if (more > 0) complain(cli, 'validation_error', `and ${more} more lines`)
  if (report.refused > 0) cli.status = 1
  const known = report.known > 0 ? `, ${report.known} already were` : ''
  print(cli, report, `${report.added} addresses are stopped${known}`)
}
