// `mdk doctor`: tries everything the service stands on and says how to mend what does not hold.
import type { Check } from '../ops/check.ts'
import { examine } from '../ops/doctor.ts'
import { type AddCommands, print } from './cli.ts'

const MARKS: Record<Check['result'], string> = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' }

export const doctorCommand: AddCommands = (program, cli) => {
  program
    .command('doctor')
    .description('check configuration, database, keys, object store, DNS, relay and ports')
    .action(async () => {
      const checks = await examine(cli.env)
      const healthy = checks.every((check) => check.result !== 'fail')
      const lines = checks.map(
        ({ name, result, found, mend }) => `${MARKS[result]}  ${name}: ${found}${mend ? `\n      → ${mend}` : ''}`,
      )
      print(cli, { healthy, checks }, lines.join('\n'))
      if (!healthy) cli.status = 1
    })
}
