// `mdk audit …`
import { operatorIn, productionOf } from '../access/actor.ts'
import { absent } from '../access/problem.ts'
import { findAuditRecord, listAudit, listAuditOfAll } from '../audit/list-audit.ts'
import { type AddCommands, withDatabase, withExamples } from './cli.ts'
import { theTenant } from './named.ts'
import { operator } from './operator.ts'
import { details, print, table } from './print.ts'
import { id, limit } from './values.ts'

export const auditCommands: AddCommands = (program, cli) => {
  const audit = program.command('audit').description('the audit log: who did what')
  withExamples(
    audit.command('list').description('list records, newest first'),
    'audit list --limit 20',
    'audit list --tenant "Example Ltd"',
  )
    .option('--tenant <tenant>', 'of one tenant only, by id or name')
    .option('--limit <n>', 'the most to list', limit, 100)
    .action(async (options: { tenant?: string; limit: number }) => {
      const items = await withDatabase(cli, async (database) => {
        const { tenant, limit } = options
        if (tenant === undefined) return listAuditOfAll(database, limit)
        const { id } = await theTenant(database, tenant)
        return listAudit(database, operatorIn(operator(), productionOf(id)), limit)
      })
      const rows = items.map((item) => ({
        ...item,
        who: item.account ?? item.keyId ?? item.personId ?? item.mailboxUserId,
      }))
      const columns = { at: 'AT', who: 'WHO', operation: 'OPERATION', resourceType: 'ON', resourceId: 'ID' }
      print(cli, { items }, table(rows, columns, 'Nothing yet.'))
    })
  withExamples(audit.command('show').description('one record'), 'audit show 01a1fc13-1c8d-765b-adca-961947868a21')
    .argument('<id>', 'the record', id)
    .action(async (recordId: string) => {
      const record = await withDatabase(cli, (database) => findAuditRecord(database, recordId))
      if (!record) throw absent('record')
      print(cli, record, details(record, Object.fromEntries(Object.keys(record).map((key) => [key, key]))))
    })
}
