// `mdk person …`
import { Option } from 'commander'
import { operatorIn, productionOf } from '../access/actor.ts'
import { PERSON_ROLES, type PersonRole } from '../access/permissions.ts'
import { invitePerson } from '../people/invite-person.ts'
import { listPeople } from '../people/list-people.ts'
import { removePerson } from '../people/remove-person.ts'
import { resetPerson } from '../people/reset-person.ts'
import { setRole } from '../people/set-role.ts'
import { type AddCommands, withDatabase, withExamples } from './cli.ts'
import { enterLink, linkText } from './enter-link.ts'
import { theTenant } from './named.ts'
import { thePerson } from './named-users.ts'
import { operator } from './operator.ts'
import { print, table } from './print.ts'

const COLUMNS = {
  id: 'ID',
  email: 'E-MAIL',
  name: 'NAME',
  role: 'ROLE',
  status: 'STATUS',
  joinedAt: 'JOINED',
  lastSeenAt: 'LAST SEEN',
}

const WHO = 'their e-mail address or id'
const TENANT = '--tenant <tenant>'
const WHERE = 'in which tenant, by id or name; needed where they have a role in several'

const roleOption = (description: string) =>
  new Option('--role <role>', description).choices([...PERSON_ROLES]).makeOptionMandatory()

export const personCommands: AddCommands = (program, cli) => {
  const person = program.command('person').description('who signs in to the console, with a role in a tenant')
  withExamples(
    person
      .command('invite')
      .description('invite somebody to a role; prints a link, also for one who was invited before'),
    'person invite --tenant "Example Ltd" --email ada@example.com --role owner',
  )
    .requiredOption(TENANT, 'to which tenant, by id or name')
    .requiredOption('--email <address>', 'the address they sign in with')
    .addOption(roleOption('an owner may do everything, an admin reads activity and tries again'))
    .action(async ({ tenant, email, role }: { tenant: string; email: string; role: PersonRole }) => {
      const made = await withDatabase(cli, async (database, config) => {
        const actor = operatorIn(operator(), productionOf((await theTenant(database, tenant)).id))
        const invitation = await invitePerson(database, actor, { email, role })
        return enterLink(config, 'console', invitation.id, invitation)
      })
      print(cli, made, linkText(`An invitation for ${email} (${made.id}), to set a password and sign in:`, made))
    })
  withExamples(
    person.command('list').description('the people of a tenant, by address'),
    'person list --tenant "Example Ltd"',
  )
    .requiredOption(TENANT, 'whose people, by id or name')
    .action(async ({ tenant }: { tenant: string }) => {
      const items = await withDatabase(cli, async (database) =>
        listPeople(database, operatorIn(operator(), productionOf((await theTenant(database, tenant)).id))),
      )
      print(cli, { items }, table(items, COLUMNS, 'No people.'))
    })
  withExamples(
    person.command('remove').description('take their role away; they are signed out of the tenant at once'),
    'person remove ada@example.com',
    'person remove ada@example.com --tenant "Example Ltd"',
  )
    .argument('<person>', WHO)
    .option(TENANT, WHERE)
    .action(async (text: string, { tenant }: { tenant?: string }) => {
      const { id, email } = await withDatabase(cli, async (database) => {
        const found = await thePerson(database, text, tenant)
        await removePerson(database, operatorIn(operator(), productionOf(found.tenantId)), found.id)
        return found
      })
      print(cli, { id, status: 'removed' }, `${email} (${id}) has no role in the tenant any more`)
    })
  withExamples(
    person.command('set-role').description('give them another role'),
    'person set-role ada@example.com --role admin',
  )
    .argument('<person>', WHO)
    .option(TENANT, WHERE)
    .addOption(roleOption('which one'))
    .action(async (text: string, { tenant, role }: { tenant?: string; role: PersonRole }) => {
      const { id, email } = await withDatabase(cli, async (database) => {
        const found = await thePerson(database, text, tenant)
        await setRole(database, operatorIn(operator(), productionOf(found.tenantId)), found.id, role)
        return found
      })
      print(cli, { id, role }, `${email} (${id}) is ${role === 'owner' ? 'an Owner' : 'an Admin'}`)
    })
  withExamples(
    person
      .command('reset')
      .description('for one who cannot sign in any more: prints a link that removes all factors and sets a password'),
    'person reset ada@example.com',
  )
    .argument('<person>', WHO)
    .option(TENANT, WHERE)
    .action(async (text: string, { tenant }: { tenant?: string }) => {
      const { email, ...made } = await withDatabase(cli, async (database, config) => {
        const found = await thePerson(database, text, tenant)
        const link = await resetPerson(database, operatorIn(operator(), productionOf(found.tenantId)), found.id)
        return { email: found.email, ...enterLink(config, 'console', found.id, link) }
      })
      print(cli, made, linkText(`For ${email} (${made.id}), to set a new password without the other factors:`, made))
    })
}
