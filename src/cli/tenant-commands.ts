// `mdk tenant …`
import { operatorIn, productionOf } from '../access/actor.ts'
import { createTenant } from '../apps/create-tenant.ts'
import { findTenants } from '../apps/find-tenants.ts'
import { renameTenant } from '../apps/rename-tenant.ts'
import { setTenantStatus } from '../apps/set-tenant-status.ts'
import { type AddCommands, withDatabase, withExamples } from './cli.ts'
import { theTenant } from './named.ts'
import { operator } from './operator.ts'
import { details, print, table } from './print.ts'

const COLUMNS = { id: 'ID', name: 'NAME', plan: 'PLAN', status: 'STATUS', createdAt: 'MADE' }

export const tenantCommands: AddCommands = (program, cli) => {
  const tenant = program.command('tenant').description('customer organizations')
  withExamples(
    tenant.command('create').description('make a tenant; prints its id'),
    'tenant create --name "Example Ltd"',
    'tenant create --name "Example Ltd" --plan unlimited',
  )
    .requiredOption('--name <name>', 'what it is called')
    .option('--plan <plan>', 'its plan, whose limits are its own', 'standard')
    .action(async (options: { name: string; plan: string }) => {
      const created = await withDatabase(cli, (database) => createTenant(database, operator(), options))
      print(
        cli,
        created,
        `Tenant ${created.id}, with the limits of plan ${options.plan} (mdk plan show ${options.plan})`,
      )
    })
  withExamples(tenant.command('list').description('all tenants, by name'), 'tenant list').action(async () => {
    const items = await withDatabase(cli, (database) => findTenants(database))
    print(cli, { items }, table(items, COLUMNS, 'No tenants.'))
  })
  withExamples(tenant.command('show').description('one tenant'), 'tenant show "Example Ltd"')
    .argument('<tenant>', 'its id or name')
    .action(async (text: string) => {
      const found = await withDatabase(cli, (database) => theTenant(database, text))
      print(cli, found, details(found, COLUMNS))
    })
  withExamples(
    tenant.command('rename').description('give it another name'),
    'tenant rename "Example Ltd" --name "Example Group"',
  )
    .argument('<tenant>', 'its id or name')
    .requiredOption('--name <name>', 'what it is called from now on')
    .action(async (text: string, { name }: { name: string }) => {
      const { id } = await withDatabase(cli, async (database) => {
        const found = await theTenant(database, text)
        await renameTenant(database, operatorIn(operator(), productionOf(found.id)), name)
        return found
      })
      print(cli, { id, name }, `Tenant ${id} is called ${name}`)
    })
  for (const [verb, status, description] of [
    ['suspend', 'suspended', 'refuse its keys, and send and receive nothing for it, until it is resumed'],
    ['resume', 'active', 'end the suspension'],
  ] as const) {
    withExamples(tenant.command(verb).description(description), `tenant ${verb} "Example Ltd"`)
      .argument('<tenant>', 'its id or name')
      .action(async (text: string) => {
        const { id, name } = await withDatabase(cli, async (database) => {
          const found = await theTenant(database, text)
          await setTenantStatus(database, operator(), found.id, status)
          return found
        })
        print(cli, { id, status }, `Tenant ${name} (${id}) is ${status}`)
      })
  }
}
