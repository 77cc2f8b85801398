// `mdk mailbox …`
import { operatorIn, productionOf } from '../access/actor.ts'
import { mailboxFigures } from '../activity/mailbox-figures.ts'
import { createMailbox } from '../mailboxes/create-mailbox.ts'
import { findMailboxes } from '../mailboxes/find-mailboxes.ts'
import { readMailbox } from '../mailboxes/page-mailboxes.ts'
import { renameMailbox } from '../mailboxes/rename-mailbox.ts'
import { setMailboxStatus } from '../mailboxes/set-mailbox-status.ts'
import { type AddCommands, withDatabase, withExamples } from './cli.ts'
import { mailboxUserCommands } from './mailbox-user-commands.ts'
import { theMailbox, theTenant } from './named.ts'
import { operator } from './operator.ts'
import { details, print, table } from './print.ts'

const COLUMNS = { id: 'ID', address: 'ADDRESS', displayName: 'NAME', status: 'STATUS', createdAt: 'MADE' }

const FIGURES = { users: 'USERS', unread: 'UNREAD', storedBytes: 'BYTES' }

export const mailboxCommands: AddCommands = (program, cli) => {
  const mailbox = program.command('mailbox').description('the addresses that a tenant sends and receives with')
  withExamples(
    mailbox.command('create').description('make a mailbox; prints its id'),
    'mailbox create --tenant "Example Ltd" --address hello@example.com --name Example',
  )
    .requiredOption('--tenant <tenant>', 'whose it is, by id or name')
    .requiredOption('--address <address>', 'on a verified domain of the tenant')
    .requiredOption('--name <name>', 'the display name')
    .action(async ({ tenant, address, name }: { tenant: string; address: string; name: string }) => {
      const created = await withDatabase(cli, async (database) => {
        const actor = operatorIn(operator(), productionOf((await theTenant(database, tenant)).id))
        return createMailbox(database, actor, { address, displayName: name })
      })
      print(cli, created, `Mailbox ${created.id}`)
    })
  withExamples(
    mailbox.command('list').description('the mailboxes of a tenant, by address'),
    'mailbox list --tenant "Example Ltd"',
  )
    .requiredOption('--tenant <tenant>', 'whose mailboxes, by id or name')
    .action(async ({ tenant }: { tenant: string }) => {
      const items = await withDatabase(cli, async (database) =>
        findMailboxes(database, { tenantId: (await theTenant(database, tenant)).id }),
      )
      print(cli, { items }, table(items, COLUMNS, 'No mailboxes.'))
    })
  withExamples(
    mailbox.command('show').description('one mailbox, with how much it has'),
    'mailbox show hello@example.com',
  )
    .argument('<mailbox>', 'its id or address')
    .action(async (text: string) => {
      const found = await withDatabase(cli, async (database) => {
        const found = await theMailbox(database, text)
        const actor = operatorIn(operator(), productionOf(found.tenantId))
        const { users } = await readMailbox(database, actor, found.id)
        return { ...found, users, ...(await mailboxFigures(database, actor, [found.id])).get(found.id) }
      })
      print(cli, found, details(found, { ...COLUMNS, tenantId: 'TENANT', ...FIGURES }))
    })
  for (const [verb, status, description] of [
    ['suspend', 'suspended', 'let it neither send nor receive until it is resumed; it can be read'],
    ['resume', 'active', 'end the suspension'],
  ] as const) {
    withExamples(mailbox.command(verb).description(description), `mailbox ${verb} hello@example.com`)
      .argument('<mailbox>', 'its id or address')
      .action(async (text: string) => {
        const { id, address } = await withDatabase(cli, async (database) => {
          const found = await theMailbox(database, text)
          await setMailboxStatus(database, operatorIn(operator(), productionOf(found.tenantId)), found.id, status)
          return found
        })
        print(cli, { id, status }, `Mailbox ${address} (${id}) is ${status}`)
      })
  }
  withExamples(
    mailbox.command('update').description('give it another display name'),
    'mailbox update hello@example.com --name "Example Sales"',
  )
    .argument('<mailbox>', 'its id or address')
    .requiredOption('--name <name>', 'the new display name')
    .action(async (text: string, { name }: { name: string }) => {
      const { id, address } = await withDatabase(cli, async (database) => {
        const found = await theMailbox(database, text)
        await renameMailbox(database, operatorIn(operator(), productionOf(found.tenantId)), found.id, name)
        return found
      })
      print(cli, { id, displayName: name }, `Mailbox ${address} (${id}) is called ${name}`)
    })
  mailboxUserCommands(mailbox, cli)
}
