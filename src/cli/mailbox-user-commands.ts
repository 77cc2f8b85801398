// `mdk mailbox user …`
import { Option } from 'commander'
import { operatorIn, productionOf } from '../access/actor.ts'
import { problem } from '../access/problem.ts'
import { addMailboxUser } from '../mailboxes/add-mailbox-user.ts'
import { inviteMailboxUserAgain } from '../mailboxes/invite-mailbox-user-again.ts'
import { listMailboxUsers } from '../mailboxes/list-mailbox-users.ts'
import { removeMailboxUser } from '../mailboxes/remove-mailbox-user.ts'
import { resetMailboxUser } from '../mailboxes/reset-mailbox-user.ts'
import { setMailboxAccess } from '../mailboxes/set-mailbox-access.ts'
import { type AddCommands, withDatabase, withExamples } from './cli.ts'
import { enterLink, linkText } from './enter-link.ts'
import { theMailbox, theTenant } from './named.ts'
import { theMailboxUser } from './named-users.ts'
import { operator } from './operator.ts'
import { print, table } from './print.ts'

const COLUMNS = {
  id: 'ID',
  login: 'LOGIN',
  name: 'NAME',
  access: 'MAILBOXES',
  status: 'STATUS',
  lastSeenAt: 'LAST SEEN',
}

const WHO = 'their login or id'
const MAILBOX = '--mailbox <mailbox>'

interface NewUser {
  mailbox: string
  login: string
  readOnly?: boolean
}

/** `mailbox`: the command that they belong to. */
export const mailboxUserCommands: AddCommands = (mailbox, cli) => {
  const user = mailbox.command('user').description('who signs in to the webmail, with access to mailboxes')
  withExamples(
    user.command('add').description('give somebody access to a mailbox; prints a link'),
    'mailbox user add --mailbox hello@example.com --login ada@example.com',
  )
    .requiredOption(MAILBOX, 'to which mailbox, by id or address')
    .requiredOption('--login <address>', 'the address they sign in with')
    .option('--read-only', 'they read the mail there, and neither file nor send any')
    .action(async ({ mailbox: text, login, readOnly }: NewUser) => {
      const made = await withDatabase(cli, async (database, config) => {
        const { id: mailboxId, tenantId } = await theMailbox(database, text)
        const actor = operatorIn(operator(), productionOf(tenantId))
        const access = readOnly ? 'read' : 'write'
        const added = await addMailboxUser(database, actor, { mailboxId, login, access })
        return enterLink(config, 'webmail', added.id, added)
      })
      print(cli, made, linkText(`For ${login} (${made.id}), to set a password and sign in:`, made))
    })
  withExamples(
    user.command('list').description('the users of a mailbox, or of all of a tenant, by login'),
    'mailbox user list --mailbox hello@example.com',
    'mailbox user list --tenant "Example Ltd"',
  )
    .option(MAILBOX, 'of which mailbox, by id or address')
    .option('--tenant <tenant>', 'of which tenant, by id or name')
    .action(async (place: { mailbox?: string; tenant?: string }) => {
      const items = await withDatabase(cli, async (database) => {
        const mailbox = place.mailbox === undefined ? null : await theMailbox(database, place.mailbox)
        const tenant = place.tenant === undefined ? null : await theTenant(database, place.tenant)
        const tenantId = tenant?.id ?? mailbox?.tenantId
        if (tenantId === undefined) throw problem('validation_error', { message: 'Give --mailbox or --tenant.' })
        return listMailboxUsers(database, operatorIn(operator(), productionOf(tenantId)), mailbox?.id ?? null)
      })
      const rows = items.map((item) => ({
        ...item,
        access: item.mailboxes.map(({ address, access }) => `${address} (${access})`),
      }))
      print(cli, { items }, table(rows, COLUMNS, 'No mailbox users.'))
    })
  withExamples(
    user.command('invite').description('make another invitation, which ends the former; prints a link'),
    'mailbox user invite ada@example.com',
  )
    .argument('<user>', WHO)
    .action(async (text: string) => {
      const { login, ...made } = await withDatabase(cli, async (database, config) => {
        const found = await theMailboxUser(database, text)
        const link = await inviteMailboxUserAgain(
          database,
          operatorIn(operator(), productionOf(found.tenantId)),
          found.id,
        )
        return { login: found.login, ...enterLink(config, 'webmail', found.id, link) }
      })
      print(cli, made, linkText(`For ${login} (${made.id}), to set a password and sign in:`, made))
    })
  withExamples(
    user
      .command('set-access')
      .description('let them read and write in a mailbox, or read alone, from the next request on'),
    'mailbox user set-access ada@example.com --mailbox hello@example.com --access read',
  )
    .argument('<user>', WHO)
    .requiredOption(MAILBOX, 'in which mailbox, by id or address')
    .addOption(new Option('--access <access>', 'what they may').choices(['read', 'write']).makeOptionMandatory())
    .action(async (text: string, { mailbox: where, access }: { mailbox: string; access: 'read' | 'write' }) => {
      const { id, login, address } = await withDatabase(cli, async (database) => {
        const { id: userId, login } = await theMailboxUser(database, text)
        const { id: mailboxId, address, tenantId } = await theMailbox(database, where)
        await setMailboxAccess(database, operatorIn(operator(), productionOf(tenantId)), { mailboxId, userId, access })
        return { id: userId, login, address }
      })
      const may = access === 'read' ? 'reads' : 'reads and writes in'
      print(cli, { id, access }, `${login} (${id}) ${may} ${address}`)
    })
  withExamples(
    user.command('remove').description('take their access to a mailbox away, at once'),
    'mailbox user remove ada@example.com --mailbox hello@example.com',
  )
    .argument('<user>', WHO)
    .requiredOption(MAILBOX, 'to which mailbox, by id or address')
    .action(async (text: string, { mailbox: from }: { mailbox: string }) => {
      const { id, login, address } = await withDatabase(cli, async (database) => {
        const { id: userId, login } = await theMailboxUser(database, text)
        const { id: mailboxId, address, tenantId } = await theMailbox(database, from)
        await removeMailboxUser(database, operatorIn(operator(), productionOf(tenantId)), { mailboxId, userId })
        return { id: userId, login, address }
      })
      print(cli, { id, status: 'removed' }, `${login} (${id}) has no access to ${address} any more`)
    })
  withExamples(
    user
      .command('reset')
      .description('for one who cannot sign in any more: prints a link that removes all factors and sets a password'),
    'mailbox user reset ada@example.com',
  )
    .argument('<user>', WHO)
    .action(async (text: string) => {
      const { login, ...made } = await withDatabase(cli, async (database, config) => {
        const found = await theMailboxUser(database, text)
        const link = await resetMailboxUser(database, operatorIn(operator(), productionOf(found.tenantId)), found.id)
        return { login: found.login, ...enterLink(config, 'webmail', found.id, link) }
      })
      print(cli, made, linkText(`For ${login} (${made.id}), to set a new password without the other factors:`, made))
    })
}
