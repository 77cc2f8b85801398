// `mdk sso …`
import { text } from 'node:stream/consumers'
import { operatorIn, productionOf } from '../access/actor.ts'
import { problem } from '../access/problem.ts'
import type { Config } from '../config.ts'
import { Secret } from '../lib/secret.ts'
import { createSecretBox } from '../lib/secret-box.ts'
import type { Database } from '../lib/sql.ts'
import { createProviders, PROVIDER_TIMEOUT_MS } from '../people/single-sign-on/provider.ts'
import { removeSingleSignOn } from '../people/single-sign-on/remove-single-sign-on.ts'
import { setSingleSignOn } from '../people/single-sign-on/set-single-sign-on.ts'
import { showSingleSignOn } from '../people/single-sign-on/show-single-sign-on.ts'
import { singleSignOnUrls } from '../people/single-sign-on/urls.ts'
import { siteOrigin } from '../roles/site-urls.ts'
import { openSecretKeys } from '../secret-keys.ts'
import { type AddCommands, withDatabase, withExamples } from './cli.ts'
import { theTenant } from './named.ts'
import { operator } from './operator.ts'
import { details, print } from './print.ts'

const COLUMNS = {
  issuer: 'ISSUER',
  clientId: 'CLIENT ID',
  setAt: 'SET',
  signInUrl: 'SIGN IN AT',
  callbackUrl: 'CALLBACK FOR THE PROVIDER',
}
const TENANT = '--tenant <tenant>'
const WHOSE = "whose people, by the tenant's id or name"

interface Given {
  tenant: string
  issuer: string
  clientId: string
}

export const ssoCommands: AddCommands = (program, cli) => {
  const sso = program.command('sso').description("single sign-on: a tenant's own OpenID provider, for the console")
  withExamples(
    sso
      .command('set')
      .description('name the provider, which is asked first; the secret of the client is read from standard input'),
    'sso set --tenant "Example Ltd" --issuer https://id.example.com --client-id mail-console < client-secret',
  )
    .requiredOption(TENANT, WHOSE)
    .requiredOption('--issuer <url>', 'the address that the provider calls itself by')
    .requiredOption('--client-id <id>', 'as what the provider knows the console')
    .action(async ({ tenant, issuer, clientId }: Given) => {
      const clientSecret = new Secret((await text(process.stdin)).replace(/\r?\n$/, ''))
      // For this command alone, as it is large.
      const { createPublicFetch } = await import('../lib/public-fetch.ts')
      const shown = await withDatabase(cli, async (database, config) => {
        const actor = await operatorOf(database, tenant)
        const publicFetch = createPublicFetch({
          allow: config.singleSignOn.allow,
          dnsServers: config.dnsServers ?? [],
          timeoutMs: PROVIDER_TIMEOUT_MS,
        })
        try {
          const box = createSecretBox(await openSecretKeys(config, database))
          const deps = { database, box, providers: createProviders(publicFetch) }
          await setSingleSignOn(deps, actor, { issuer, clientId, clientSecret })
        } finally {
          await publicFetch.close()
        }
        return show(database, config, actor)
      })
      print(cli, shown, details(shown, COLUMNS))
    })
  withExamples(
    sso.command('show').description('the provider, and the addresses for it and for people; nothing secret'),
    'sso show --tenant "Example Ltd"',
  )
    .requiredOption(TENANT, WHOSE)
    .action(async ({ tenant }: { tenant: string }) => {
      const shown = await withDatabase(cli, async (database, config) =>
        show(database, config, await operatorOf(database, tenant)),
      )
      print(cli, shown, details(shown, COLUMNS))
    })
  withExamples(
    sso.command('remove').description('nobody signs in by it any more, and who did is signed out'),
    'sso remove --tenant "Example Ltd"',
  )
    .requiredOption(TENANT, WHOSE)
    .action(async ({ tenant }: { tenant: string }) => {
      const { tenantId } = await withDatabase(cli, async (database) => {
        const actor = await operatorOf(database, tenant)
        await removeSingleSignOn(database, actor)
        return actor
      })
      print(cli, { tenantId, status: 'removed' }, `Tenant ${tenant} (${tenantId}) has no single sign-on any more`)
    })
}

async function operatorOf(database: Database, tenant: string) {
  return operatorIn(operator(), productionOf((await theTenant(database, tenant)).id))
}

async function show(database: Database, config: Config, actor: ReturnType<typeof operatorIn>) {
  const found = await showSingleSignOn(database, actor)
  if (!found) {
    throw problem('not_found', {
      message: 'This tenant has no single sign-on. Name its provider with mdk sso set.',
    })
  }
  const { signIn, callback } = singleSignOnUrls(siteOrigin(config.console), actor.tenantId)
  return { ...found, signInUrl: signIn, callbackUrl: callback }
}
