// `mdk objects …`
import { openObjectStore } from '../object-store.ts'
import { checkObjects, type ObjectsCheck, repairObjects } from '../ops/repair-objects.ts'
import { type AddCommands, withDatabase, withExamples } from './cli.ts'
import { operator } from './operator.ts'
import { print } from './print.ts'

export const objectCommands: AddCommands = (program, cli) => {
  const objects = program.command('objects').description('compare database and object store')
  withExamples(
    objects.command('check').description('list messages and attachments without bytes, and objects that nothing names'),
    'objects check',
  ).action(async () => {
    const check = await withDatabase(cli, async (database, config) =>
      checkObjects(database, (await openObjectStore(config)).store),
    )
    const agrees = check.missing + check.unnamed === 0
    print(cli, { agrees, ...check }, text(check))
    if (!agrees) cli.status = 1
  })
  withExamples(
    objects
      .command('repair')
      .description('delete messages and attachments without bytes, and remove objects that nothing names'),
    'objects repair',
  ).action(async () => {
    const repair = await withDatabase(cli, async (database, config) => {
      const { store } = await openObjectStore(config)
      return repairObjects(database, store, operator())
    })
    const { messages, attachments, objects, left } = repair
    print(
      cli,
      repair,
      `Deleted: ${messages} messages, ${attachments} attachments; removed: ${objects} objects; left: ${left}`,
    )
  })
}

function text({ named, missing, held, unnamed, examples }: ObjectsCheck): string {
  return [
    `${missing} of ${named} messages and attachments are without bytes`,
    ...examples.missing.map(({ kind, id }) => `  ${kind} ${id}`),
    `nobody names ${unnamed} of ${held} objects`,
    ...examples.unnamed.map((key) => `  ${key}`),
  ].join('\n')
}
