// `mdk doctor`: tries everything the service stands on and says how to repair what does not hold.
import type { Config } from '../config.ts'
import type { Database } from '../lib/sql.ts'
import { openObjectStore } from '../object-store.ts'
import type { Check } from '../ops/check.ts'
import { type AddCommands, withDatabase, withExamples } from './cli.ts'
import { print } from './print.ts'

const MARKS: Record<Check['result'], string> = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' }

/** Without its schema and its objects there is nothing to look at, and nothing may be said to hold. */
const NOT_CHECKED: Check = {
  name: 'invariants',
  result: 'fail',
  found: 'not checked',
  repair: 'see to the migrations and the object store first',
}

export const doctorCommand: AddCommands = (program, cli) => {
  withExamples(
    program.command('doctor').description('check configuration, database, keys, object store, DNS, relay and ports'),
    'doctor',
    'doctor --deep',
  )
    .option('--deep', 'also check the invariants of the whole database; takes a while')
    .action(async ({ deep = false }: { deep?: boolean }) => {
      // For this command alone, as they know of everything.
      const [{ examine }, { checkInvariants }] = await Promise.all([
        import('../ops/doctor.ts'),
        import('../ops/invariants.ts'),
      ])
      const checks = await examine(cli.env)
      const well = (part: string) => checks.some(({ name, result }) => name === part && result === 'ok')
      if (deep) {
        const whole = (database: Database, config: Config) =>
          openObjectStore(config).then(({ store }) => checkInvariants(database, store))
        const isThere = well('migrations') && well('object store')
        checks.push(...(isThere ? await withDatabase(cli, whole) : [NOT_CHECKED]))
      }
      const healthy = checks.every((check) => check.result !== 'fail')
      const lines = checks.map(
        ({ name, result, found, repair }) =>
          `${MARKS[result]}  ${name}: ${found}${repair ? `\n      → ${repair}` : ''}`,
      )
      print(cli, { healthy, checks }, lines.join('\n'))
      if (!healthy) cli.status = 1
    })
}
