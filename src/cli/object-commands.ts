// `mdk objects …`
import { invalidFields } from '../access/problem.ts'
import { openObjectStore } from '../object-store.ts'
import { checkObjects, type ObjectsCheck, repairObjects } from '../ops/repair-objects.ts'
import { type AddCommands, print, withDatabase } from './cli.ts'

export const objectCommands: AddCommands = (program, cli) => {
  const objects = program.command('objects').description('compare database and object store')
  objects
    .command('check')
    .description('list messages and attachments without bytes, and objects that nothing names')
    .action(async () => {
      const check = await withDatabase(cli, async (database, config) =>
        checkObjects(database, (await openObjectStore(config)).store),
      )
      const agrees = check.missing + check.unnamed === 0
      print(cli, { agrees, ...check }, text(check))
      if (!agrees) cli.status = 1
    })
  objects
    .command('repair')
    .description('delete messages and attachments without bytes, and remove objects that nothing names')
    .action(async () => {
      const repair = await withDatabase(cli, async (database, config) => {
        const { store } = await openObjectStore(config)
        refuseStrangers(await checkObjects(database, store))
        return repairObjects(database, store)
      })
      const { messages, attachments, objects, left } = repair
      print(
        cli,
        repair,
        `Deleted: ${messages} messages, ${attachments} attachments; removed: ${objects} objects; left: ${left}`,
      )
    })
}

/** A store and a database that have nothing in common: one of them is not the one that was meant. */
function refuseStrangers({ named, missing, held, unnamed }: ObjectsCheck): void {
  const alien = (named > 0 && missing === named) || (held > 0 && unnamed === held)
  if (!alien) return
  const message = `${missing} of ${named} objects are missing and nobody names ${unnamed} of ${held}: is this the store of this database?`
  throw invalidFields([{ path: 'MDK_OBJECT_STORE', code: 'mismatch', message }])
}

function text({ named, missing, held, unnamed, examples }: ObjectsCheck): string {
  return [
    `${missing} of ${named} messages and attachments are without bytes`,
    ...examples.missing.map(({ kind, id }) => `  ${kind} ${id}`),
    `nobody names ${unnamed} of ${held} objects`,
    ...examples.unnamed.map((key) => `  ${key}`),
  ].join('\n')
}
