// `mdk audit …`
import { operatorIn, productionOf } from '../access/actor.ts'
import { listAudit } from '../audit/list-audit.ts'
import { type AddCommands, count, id, print, table, withDatabase } from './cli.ts'
import { operator } from './operator.ts'

export const auditCommands: AddCommands = (program, cli) => {
  program
    .command('audit')
    .description('the audit log: who did what')
    .command('list')
    .description('list records, newest first')
    .option('--tenant <id>', 'of one tenant only', id)
    .option('--limit <n>', 'the most to list', count, 100)
    .action(async (options: { tenant?: string; limit: number }) => {
      const actor = options.tenant === undefined ? operator() : operatorIn(operator(), productionOf(options.tenant))
      const items = await withDatabase(cli, (database) => listAudit(database, actor, options.limit))
      const columns = {
        at: 'AT',
        by: 'BY',
        account: 'ACCOUNT',
        operation: 'OPERATION',
        resourceType: 'ON',
        resourceId: 'ID',
        tenantId: 'TENANT',
      }
      print(cli, { items }, table(items, { ...columns, clientAddress: 'FROM' }, 'Nothing yet.'))
    })
}
