// `mdk plan …`
import type { Command } from 'commander'
import { problem } from '../access/problem.ts'
import { createPlan } from '../apps/create-plan.ts'
import { listPlans, type PlanLimits } from '../apps/find-plan.ts'
import { setPlan } from '../apps/set-plan.ts'
import { limitBeyondGuard } from '../ops/limit-beyond-guard.ts'
import { type AddCommands, withDatabase, withExamples } from './cli.ts'
import { operator } from './operator.ts'
import { complain, details, print, table } from './print.ts'
import { count } from './values.ts'

const LIMITS = {
  keyPerMinute: 'REQUESTS A MINUTE, EACH KEY',
  tenantPerDay: 'REQUESTS A DAY',
  messagesPerMonth: 'MESSAGES A MONTH',
  storedMib: 'STORED MIB',
  retentionDays: 'DAYS KEPT',
}

export const planCommands: AddCommands = (program, cli) => {
  const plan = program.command('plan').description('the limits of tenants')
  for (const [name, verb, description, done, examples] of [
    [
      'create',
      createPlan,
      'make a plan; what is not given is unlimited, or for ever',
      'is made',
      ['plan create team --key-per-minute 120 --messages-per-month 50000', 'plan create everything'],
    ],
    [
      'set',
      setPlan,
      'change a plan for every tenant that has it; what is not given stays as it is',
      'is changed',
      ['plan set team --messages-per-month 100000', 'plan set team --retention-days 0'],
    ],
  ] as const) {
    withExamples(takingLimits(plan.command(name).description(description)), ...examples).action(
      async (planName: string, given: Partial<PlanLimits>) => {
        await withDatabase(cli, async (database, config) => {
          const limits = await verb(database, operator(), planName, given)
          print(cli, { name: planName, ...limits }, `Plan ${planName} ${done}\n\n${details(inWords(limits), LIMITS)}`)
          const warning = limitBeyondGuard({ name: planName, ...limits }, config)
          if (warning) complain(cli, 'key_limit_above_ip_guard', warning)
        })
      },
    )
  }
  withExamples(plan.command('list').description('the plans with their limits'), 'plan list').action(async () => {
    const items = await withDatabase(cli, (database) => listPlans(database))
    const columns = { name: 'NAME', ...LIMITS, tenants: 'TENANTS' }
    print(cli, { items }, table(items.map(inWords), columns, 'No plans.'))
  })
  withExamples(plan.command('show').description('one plan'), 'plan show standard')
    .argument('<name>', 'the plan')
    .action(async (name: string) => {
      const [found] = await withDatabase(cli, (database) => listPlans(database, name))
      if (!found) throw problem('not_found', { message: `There is no plan "${name}".` })
      print(cli, found, details(inWords(found), { name: 'NAME', ...LIMITS, tenants: 'TENANTS' }))
    })
}

function takingLimits(command: Command): Command {
  return command
    .argument('<name>', 'the plan: lower-case letters, digits and hyphens')
    .option('--key-per-minute <n>', 'requests a minute for each API key; 0: unlimited', count)
    .option('--tenant-per-day <n>', 'requests a day for the tenant; 0: unlimited', count)
    .option('--messages-per-month <n>', 'recipients in a calendar month; 0: unlimited', count)
    .option('--stored-mib <n>', 'stored MiB; 0: unlimited', count)
    .option('--retention-days <n>', 'days that messages are kept; 0: for ever', count)
}

/** Limits as people read them. */
function inWords<T extends PlanLimits>(limits: T): Record<string, unknown> {
  const worded = Object.keys(LIMITS).map((key) => {
    const value = limits[key as keyof PlanLimits]
    return [key, value === 0 ? (key === 'retentionDays' ? 'for ever' : 'unlimited') : value]
  })
  return { ...limits, ...Object.fromEntries(worded) }
}
