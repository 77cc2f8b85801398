// `mdk audit …`
import { listAudit } from '../audit/record.ts'
import { type AddCommands, count, id, print, table, withDatabase } from './cli.ts'

export const auditCommands: AddCommands = (program, cli) => {
  program
    .command('audit')
    .description('the audit log: who did what')
    .command('list')
    .description('list records, newest first')
    .option('--tenant <id>', 'of one tenant only', id)
    .option('--limit <n>', 'the most to list', count, 100)
    .action(async (options: { tenant?: string; limit: number }) => {
      const items = await withDatabase(cli, (database) => listAudit(database, options.tenant ?? null, options.limit))
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
