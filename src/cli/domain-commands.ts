// `mdk domain …`
import { operatorIn, productionOf } from '../access/actor.ts'
import type { Config } from '../config.ts'
import { createDnsResolver, type DnsResolver } from '../lib/resolver.ts'
import { createSecretBox } from '../lib/secret-box.ts'
import { addCheckedDomain } from '../mailboxes/add-checked-domain.ts'
import { checkDomainNow } from '../mailboxes/check-domain-now.ts'
import { findDomains } from '../mailboxes/find-domains.ts'
import { removeDomain } from '../mailboxes/remove-domain.ts'
import { type DkimTurn, rotateDkimKey } from '../mailboxes/rotate-dkim-key.ts'
import { openSecretKeys } from '../secret-keys.ts'
import { type AddCommands, withDatabase, withExamples } from './cli.ts'
import { recordBlocks } from './dns-blocks.ts'
import { theDomain, theTenant } from './named.ts'
import { operator } from './operator.ts'
import { details, print, table } from './print.ts'

const COLUMNS = {
  id: 'ID',
  domain: 'DOMAIN',
  verified: 'VERIFIED',
  health: 'HEALTH',
  mailboxCount: 'MAILBOXES',
  checkedAt: 'CHECKED',
}

export const domainCommands: AddCommands = (program, cli) => {
  const domain = program.command('domain').description("a tenant's mail domains")
  withExamples(
    domain.command('add').description('add a domain, make its DKIM key, and print the DNS records it needs'),
    'domain add --tenant "Example Ltd" --domain example.com',
    'domain add --tenant "Example Ltd" --domain example.com --verified',
  )
    .requiredOption('--tenant <tenant>', 'whose it is, by id or name')
    .requiredOption('--domain <domain>', 'the domain')
    .option('--verified', 'vouch for it, without the DNS record')
    .action(async (options: { tenant: string; domain: string; verified?: boolean }) => {
      const added = await withDatabase(cli, async (database, config) => {
        const actor = operatorIn(operator(), productionOf((await theTenant(database, options.tenant)).id))
        const secretBox = createSecretBox(await openSecretKeys(config, database))
        const request = { domain: options.domain, vouched: options.verified === true }
        return withResolver(config, (resolver) => addCheckedDomain({ database, resolver, secretBox }, actor, request))
      })
      print(cli, added, `Domain ${added.id}\n\n${recordBlocks(added.records)}`)
    })
  withExamples(
    domain.command('list').description('the domains of a tenant, by name'),
    'domain list --tenant "Example Ltd"',
  )
    .requiredOption('--tenant <tenant>', 'whose domains, by id or name')
    .action(async ({ tenant }: { tenant: string }) => {
      const found = await withDatabase(cli, async (database) =>
        findDomains(database, { tenantId: (await theTenant(database, tenant)).id }),
      )
      const items = found.map(({ records: _records, ...shown }) => shown)
      print(cli, { items }, table(items, COLUMNS, 'No domains.'))
    })
  withExamples(
    domain.command('show').description('one domain, and the DNS records it needs'),
    'domain show example.com',
  )
    .argument('<domain>', 'its id or name')
    .action(async (text: string) => {
      const found = await withDatabase(cli, (database) => theDomain(database, text))
      const columns = { ...COLUMNS, vouched: 'VOUCHED FOR', tenantId: 'TENANT' }
      print(cli, found, `${details(found, columns)}\n\n${recordBlocks(found.records)}`)
    })
  withExamples(domain.command('check').description('check its DNS records now'), 'domain check example.com')
    .argument('<domain>', 'its id or name')
    .action(async (text: string) => {
      const report = await withDatabase(cli, async (database, config) => {
        const { id, tenantId } = await theDomain(database, text)
        const actor = operatorIn(operator(), productionOf(tenantId))
        return withResolver(config, (resolver) => checkDomainNow({ database, resolver }, actor, id))
      })
      const rows = Object.entries(report.checks).map(([name, check]) => ({ name, ...check }))
      const state = `${report.verified ? 'Verified' : 'Not verified'}, ${report.health}`
      const columns = { name: 'CHECK', status: 'RESULT', fault: 'FAULT', found: 'FOUND', expected: 'EXPECTED' }
      print(cli, report, `${state}\n\n${table(rows, columns, '')}`)
    })
  withExamples(
    domain
      .command('rotate-dkim')
      .description('lead from one DKIM key to the next: run it again after each thing that it asks for'),
    'domain rotate-dkim example.com',
  )
    .argument('<domain>', 'its id or name')
    .action(async (text: string) => {
      const turn = await withDatabase(cli, async (database, config) => {
        const { id, tenantId } = await theDomain(database, text)
        const actor = operatorIn(operator(), productionOf(tenantId))
        const secretBox = createSecretBox(await openSecretKeys(config, database))
        return withResolver(config, (resolver) => rotateDkimKey({ database, resolver, secretBox }, actor, id))
      })
      print(cli, turn, wordsOfTurn(turn))
    })
  withExamples(
    domain.command('remove').description('take it off its tenant, with its DKIM key'),
    'domain remove example.com',
  )
    .argument('<domain>', 'its id or name')
    .action(async (text: string) => {
      const { id, domain: name } = await withDatabase(cli, async (database) => {
        const found = await theDomain(database, text)
        await removeDomain(database, operatorIn(operator(), productionOf(found.tenantId)), found.id)
        return found
      })
      print(cli, { id, status: 'removed' }, `Domain ${name} (${id}) is removed`)
    })
}

function wordsOfTurn(turn: DkimTurn): string {
  switch (turn.state) {
    case 'prepared':
      return `The next key is made and signs nothing yet. Publish its record beside the present one, then run this again:\n\n${recordBlocks([turn.publish])}`
    case 'signing':
      return `The next key signs. Leave the record of the one before where it is until ${turn.until}${turn.keep ? `:\n\n${recordBlocks([turn.keep])}` : '.'}`
    case 'turned':
      return `The key has turned.${turn.remove ? ` This record may go:\n\n${recordBlocks([turn.remove])}` : ''}`
  }
}

async function withResolver<T>(config: Config, work: (resolver: DnsResolver) => Promise<T>): Promise<T> {
  const resolver = createDnsResolver(config.dnsServers)
  try {
    return await work(resolver)
  } finally {
    resolver.close()
  }
}
