// `mdk secret-key …`
import { type TurnedKeys, turnSecretKey } from '../ops/rotate-secret-key.ts'
import { type AddCommands, withDatabase, withExamples } from './cli.ts'
import { operator } from './operator.ts'
import { print } from './print.ts'

export const secretKeyCommands: AddCommands = (program, cli) => {
  const secretKey = program.command('secret-key').description('the keys of the service, which seal and sign')
  withExamples(
    secretKey
      .command('rotate')
      .description('lead from one key to the next: run it again after each thing that it asks for'),
    'secret-key rotate',
  ).action(async () => {
    const showsProgress = process.stderr.isTTY
    const turned = await withDatabase(cli, (database, config) =>
      turnSecretKey(database, operator(), config, (resealed) => {
        if (showsProgress) process.stderr.write(`\r${resealed} secrets`)
      }),
    )
    if (showsProgress) process.stderr.write('\n')
    print(cli, turned, wordsOf(turned))
  })
}

const AGAIN = 'Restart every process of the service, one by one, and run this again.'

function wordsOf({ step, inFile, newKey }: TurnedKeys): string {
  switch (step.kind) {
    case 'add':
      return inFile
        ? `Key version ${step.version} was made; it opens and does not seal yet.\n${AGAIN}`
        : `Put this behind the keys in MDK_SECRET_KEYS of every process, and nowhere else:\n\n,${newKey}\n\n${AGAIN}`
    case 'restart':
      return `${step.processes} processes do not have the keys as they are now. ${AGAIN}`
    case 'promote':
      return inFile
        ? `Key version ${step.version} seals from now on.\n${AGAIN}`
        : `Put key version ${step.version} first in MDK_SECRET_KEYS of every process.\n${AGAIN}`
    case 'reseal':
      return `${step.secrets} secrets were sealed anew. Run this again to hear when the older key may go.`
    case 'wait':
      return `Nothing is sealed by an older key. Mail that was sent under it may still come back: run this again after ${new Date(step.untilMs).toISOString()}.`
    case 'drop':
      return inFile
        ? `Key version ${step.versions.join(', ')} was taken away. Processes may be restarted whenever you like. The key has turned.`
        : `Take key version ${step.versions.join(', ')} out of MDK_SECRET_KEYS. The key has turned.`
  }
}
