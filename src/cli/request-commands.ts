// `mdk request …`
import { operatorIn } from '../access/actor.ts'
import { listRefusedRequests, readRefusedRequest } from '../requests/list-refused-requests.ts'
import { ownerOfRequest } from '../requests/owner-of-request.ts'
import { type AddCommands, withDatabase, withExamples } from './cli.ts'
import { type Place, theRealm } from './named.ts'
import { operator } from './operator.ts'
import { details, print, table } from './print.ts'
import { id, limit } from './values.ts'

interface ListOptions extends Place {
  limit: number
  status?: string
  code?: string
}

export const requestCommands: AddCommands = (program, cli) => {
  const request = program.command('request').description('requests to the API that were refused within the last 7 days')
  withExamples(
    request
      .command('list')
      .description("a tenant's refused requests of production, or those of a sandbox application, newest first"),
    'request list --tenant "Example Ltd" --status 5xx',
    'request list --app "Shop sandbox" --code validation_error',
  )
    .option('--tenant <tenant>', 'whose requests, by id or name')
    .option('--app <app>', 'of what this application sees, by id or name')
    .option('--status <status>', '4xx, 5xx, or one of these')
    .option('--code <code>', 'the code of the answer')
    .option('--limit <n>', 'the most to list', limit, 100)
    .action(async ({ tenant, app, ...filters }: ListOptions) => {
      const { items } = await withDatabase(cli, async (database) => {
        const realm = await theRealm(database, { ...(tenant ? { tenant } : {}), ...(app ? { app } : {}) })
        return listRefusedRequests(database, operatorIn(operator(), realm), filters)
      })
      const columns = { at: 'AT', status: 'STATUS', code: 'CODE', method: 'METHOD', path: 'PATH', requestId: 'ID' }
      print(cli, { items }, table(items, columns, 'None was refused.'))
    })
  withExamples(
    request.command('show').description('one refused request, by the requestId of its answer'),
    'request show 01a1fc13-1c8d-765b-adca-961947868a21',
  )
    .argument('<id>', 'the request', id)
    .action(async (requestId: string) => {
      const found = await withDatabase(cli, async (database) =>
        readRefusedRequest(database, operatorIn(operator(), await ownerOfRequest(database, requestId)), requestId),
      )
      print(cli, found, details(found, Object.fromEntries(Object.keys(found).map((key) => [key, key]))))
    })
}
