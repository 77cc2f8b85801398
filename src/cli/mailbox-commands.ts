// `mdk domain …`, `mdk mailbox …`
import { addDomain, createMailbox, renameMailbox, setMailboxStatus } from '../mailboxes/manage.ts'
import { type AddCommands, id, print, table, withDatabase } from './cli.ts'

export const mailboxCommands: AddCommands = (program, cli) => {
  program
    .command('domain')
    .description("a tenant's mail domains")
    .command('add')
    .requiredOption('--tenant <id>', 'whose it is', id)
    .requiredOption('--domain <domain>', 'the domain')
    .option('--verified', 'vouch for it, without the DNS record')
    .action(async (options: { tenant: string; domain: string; verified?: boolean }) => {
      const added = await withDatabase(cli, (database) =>
        addDomain(database, {
          tenantId: options.tenant,
          domain: options.domain,
          vouched: options.verified === true,
        }),
      )
      const columns = { type: 'TYPE', name: 'NAME', value: 'VALUE', purpose: 'PURPOSE' }
      print(cli, added, `Domain ${added.id}\n\n${table(added.records, columns, '')}`)
    })

  const mailbox = program.command('mailbox').description('what a tenant sends and receives as')
  mailbox
    .command('create')
    .requiredOption('--tenant <id>', 'whose it is', id)
    .requiredOption('--address <address>', 'on a verified domain of the tenant')
    .requiredOption('--name <name>', 'the display name')
    .action(async (options: { tenant: string; address: string; name: string }) => {
      const created = await withDatabase(cli, (database) =>
        createMailbox(database, { tenantId: options.tenant, address: options.address, displayName: options.name }),
      )
      print(cli, created, `Mailbox ${created.id}`)
    })
  for (const [verb, status] of [
    ['suspend', 'suspended'],
    ['resume', 'active'],
  ] as const) {
    mailbox
      .command(verb)
      .argument('<id>', 'the mailbox', id)
      .action(async (mailboxId: string) => {
        await withDatabase(cli, (database) => setMailboxStatus(database, mailboxId, status))
        print(cli, { id: mailboxId, status }, `Mailbox ${mailboxId} is ${status}`)
      })
  }
  mailbox
    .command('update')
    .argument('<id>', 'the mailbox', id)
    .requiredOption('--name <name>', 'the new display name')
    .action(async (mailboxId: string, options: { name: string }) => {
      await withDatabase(cli, (database) => renameMailbox(database, mailboxId, options.name))
      print(cli, { id: mailboxId, displayName: options.name }, `Mailbox ${mailboxId} is called ${options.name}`)
    })
}
