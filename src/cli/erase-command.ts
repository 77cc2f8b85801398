// `mdk erase`
import { eraseAddress, findAddress } from '../ops/erase/erase-address.ts'
import { openSecretKeys } from '../secret-keys.ts'
import { type AddCommands, withDatabase, withExamples } from './cli.ts'
import { theTenant } from './named.ts'
import { operator } from './operator.ts'
import { print } from './print.ts'

export const eraseCommand: AddCommands = (program, cli) => {
  withExamples(
    program.command('erase').description('end whatever is about an address, but for what a legal hold keeps'),
    'erase --address ada@example.com',
    'erase --address ada@example.com --tenant "Example Ltd" --yes',
  )
    .requiredOption('--address <address>', 'the address; one with a tag (name+tag@) is another')
    .option('--tenant <tenant>', 'what this tenant has only, by id or name')
    .option('--keep-stops', 'leave it among stopped addresses: no mail goes there in future')
    .option('--yes', 'do it; without, it is only counted what names the address')
    .action(async (asked: { address: string; tenant?: string; keepStops?: true; yes?: true }) => {
      const showsProgress = process.stderr.isTTY
      await withDatabase(cli, async (database, config) => {
        const tenantId = asked.tenant === undefined ? null : (await theTenant(database, asked.tenant)).id
        const request = { address: asked.address, tenantId, keepStops: asked.keepStops === true }
        if (!asked.yes) {
          const named = await findAddress(database, request)
          return print(
            cli,
            { erased: null, named },
            `Rows that name it:${lines(named)}\n\nNothing was changed: --yes erases.`,
          )
        }
        const secretKeys = await openSecretKeys(config, database)
        const done = await eraseAddress({ database, secretKeys }, operator(), request, (messages) => {
          if (showsProgress) process.stderr.write(`\r${messages} messages`)
        })
        if (showsProgress) process.stderr.write('\n')
        const { erased, held, underWay, left } = done
        const texts = [`Erased:${lines(erased)}`, `Kept by a legal hold: ${held} messages`, `Left:${lines(left)}`]
        if (underWay > 0) {
          texts.push(`${underWay} messages are being submitted at this moment: run it again`)
          cli.status = 1
        }
        print(cli, done, texts.join('\n'))
      })
    })
}

function lines(counts: Record<string, number>): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0)
  return some.length === 0 ? ' none' : some.map(([name, count]) => `\n  ${name}: ${count}`).join('')
}
