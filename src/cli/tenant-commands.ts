// `mdk plan …`, `mdk tenant …`
import { createTenant } from '../apps/create-tenant.ts'
import type { PlanLimits } from '../apps/find-plan.ts'
import { setPlan } from '../apps/set-plan.ts'
import { setTenantStatus } from '../apps/set-tenant-status.ts'
import { type AddCommands, count, id, print, withDatabase } from './cli.ts'
import { operator } from './operator.ts'

export const tenantCommands: AddCommands = (program, cli) => {
  program
    .command('plan')
    .description('the limits of tenants')
    .command('set')
    .description('make or change a plan; 0 means unlimited, or for ever')
    .argument('<name>', 'the plan: lower-case letters, digits and hyphens')
    .option('--key-per-minute <n>', 'requests a minute for each API key', count)
    .option('--tenant-per-day <n>', 'requests a day for the tenant', count)
    .option('--messages-per-month <n>', 'recipients in a calendar month', count)
    .option('--stored-mib <n>', 'stored MiB', count)
    .option('--retention-days <n>', 'days that messages are kept', count)
    .action(async (name: string, change: Partial<PlanLimits>) => {
      const limits = await withDatabase(cli, (database) => setPlan(database, operator(), name, change))
      const text = Object.entries(limits).map(([key, value]) => `  ${key}: ${value === 0 ? 'unlimited' : value}`)
      print(cli, { name, ...limits }, [`Plan ${name}`, ...text].join('\n'))
    })

  const tenant = program.command('tenant').description('customer organizations')
  tenant
    .command('create')
    .description('make a tenant; prints its id')
    .requiredOption('--name <name>', 'what it is called')
    .option('--plan <plan>', 'its plan', 'standard')
    .action(async (options: { name: string; plan: string }) => {
      const created = await withDatabase(cli, (database) => createTenant(database, operator(), options))
      print(cli, created, `Tenant ${created.id}`)
    })
  for (const [verb, status, description] of [
    ['suspend', 'suspended', 'refuse its keys, and send and receive nothing for it, until it is resumed'],
    ['resume', 'active', 'end the suspension'],
  ] as const) {
    tenant
      .command(verb)
      .description(description)
      .argument('<id>', 'the tenant', id)
      .action(async (tenantId: string) => {
        await withDatabase(cli, (database) => setTenantStatus(database, operator(), tenantId, status))
        print(cli, { id: tenantId, status }, `Tenant ${tenantId} is ${status}`)
      })
  }
}
