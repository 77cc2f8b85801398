// `mdk domain …`, `mdk mailbox …`
import { operatorIn, productionOf } from '../access/actor.ts'
import type { Config } from '../config.ts'
import { createDnsResolver, type DnsResolver } from '../lib/resolver.ts'
import { createSecretBox } from '../lib/secret-box.ts'
import { addDomain } from '../mailboxes/add-domain.ts'
import { checkAddedDomain, checkDomainNow } from '../mailboxes/check-domain-now.ts'
import { createMailbox } from '../mailboxes/create-mailbox.ts'
import { makeDkimKey } from '../mailboxes/dkim-key.ts'
import { ownerOfDomain } from '../mailboxes/owner-of-domain.ts'
import { ownerOfMailbox } from '../mailboxes/owner-of-mailbox.ts'
import { renameMailbox } from '../mailboxes/rename-mailbox.ts'
import { setMailboxStatus } from '../mailboxes/set-mailbox-status.ts'
import { openSecretKeys } from '../secret-keys.ts'
import { type AddCommands, id, print, table, withDatabase } from './cli.ts'
import { operator } from './operator.ts'

export const mailboxCommands: AddCommands = (program, cli) => {
  const domain = program.command('domain').description("a tenant's mail domains")
  domain
    .command('add')
    .description('add a domain, make its DKIM key, and print the DNS records it needs')
    .requiredOption('--tenant <id>', 'whose it is', id)
    .requiredOption('--domain <domain>', 'the domain')
    .option('--verified', 'vouch for it, without the DNS record')
    .action(async (options: { tenant: string; domain: string; verified?: boolean }) => {
      const added = await withDatabase(cli, async (database, config) => {
        const actor = operatorIn(operator(), productionOf(options.tenant))
        const created = await addDomain(database, actor, {
          domain: options.domain,
          vouched: options.verified === true,
          dkim: { key: await makeDkimKey(), secretBox: createSecretBox(await openSecretKeys(config, database)) },
        })
        // Whatever the DNS says or does not: the domain is added, and the service goes on checking.
        await withResolver(config, (resolver) => checkAddedDomain({ database, resolver }, actor, created.id))
        return created
      })
      const columns = { type: 'TYPE', name: 'NAME', value: 'VALUE', purpose: 'PURPOSE' }
      print(cli, added, `Domain ${added.id}\n\n${table(added.records, columns, '')}`)
    })
  domain
    .command('check')
    .description('check its DNS records now')
    .argument('<id>', 'the domain', id)
    .action(async (domainId: string) => {
      const report = await withDatabase(cli, async (database, config) => {
        const actor = operatorIn(operator(), await ownerOfDomain(database, domainId))
        return withResolver(config, (resolver) => checkDomainNow({ database, resolver }, actor, domainId))
      })
      const rows = Object.entries(report.checks).map(([name, check]) => ({ name, ...check }))
      const state = `${report.verified ? 'Verified' : 'Not verified'}, ${report.health}`
      const columns = { name: 'CHECK', status: 'RESULT', found: 'FOUND', expected: 'EXPECTED' }
      print(cli, report, `${state}\n\n${table(rows, columns, '')}`)
    })

  const mailbox = program.command('mailbox').description('the addresses that a tenant sends and receives with')
  mailbox
    .command('create')
    .description('make a mailbox; prints its id')
    .requiredOption('--tenant <id>', 'whose it is', id)
    .requiredOption('--address <address>', 'on a verified domain of the tenant')
    .requiredOption('--name <name>', 'the display name')
    .action(async ({ tenant, address, name }: { tenant: string; address: string; name: string }) => {
      const actor = operatorIn(operator(), productionOf(tenant))
      const created = await withDatabase(cli, (database) =>
        createMailbox(database, actor, { address, displayName: name }),
      )
      print(cli, created, `Mailbox ${created.id}`)
    })
  for (const [verb, status, description] of [
    ['suspend', 'suspended', 'let it neither send nor receive until it is resumed; it can be read'],
    ['resume', 'active', 'end the suspension'],
  ] as const) {
    mailbox
      .command(verb)
      .description(description)
      .argument('<id>', 'the mailbox', id)
      .action(async (mailboxId: string) => {
        await withDatabase(cli, async (database) =>
          setMailboxStatus(
            database,
            operatorIn(operator(), await ownerOfMailbox(database, mailboxId)),
            mailboxId,
            status,
          ),
        )
        print(cli, { id: mailboxId, status }, `Mailbox ${mailboxId} is ${status}`)
      })
  }
  mailbox
    .command('update')
    .description('give it another display name')
    .argument('<id>', 'the mailbox', id)
    .requiredOption('--name <name>', 'the new display name')
    .action(async (mailboxId: string, { name }: { name: string }) => {
      await withDatabase(cli, async (database) =>
        renameMailbox(database, operatorIn(operator(), await ownerOfMailbox(database, mailboxId)), mailboxId, name),
      )
      print(cli, { id: mailboxId, displayName: name }, `Mailbox ${mailboxId} is called ${name}`)
    })
}

async function withResolver<T>(config: Config, work: (resolver: DnsResolver) => Promise<T>): Promise<T> {
  const resolver = createDnsResolver(config.dnsServers)
  try {
    return await work(resolver)
  } finally {
    resolver.close()
  }
}
