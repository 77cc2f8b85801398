// `mdk session …`
import { absent, problem } from '../access/problem.ts'
import { isUuid } from '../lib/uuid.ts'
import { endFoundSessions, findSessions, type WhichSessions } from '../users/operator-sessions.ts'
import { type AddCommands, withDatabase, withExamples } from './cli.ts'
import { operator } from './operator.ts'
import { print, table } from './print.ts'
import { limit } from './values.ts'

const COLUMNS = {
  id: 'ID',
  kind: 'KIND',
  login: 'LOGIN',
  clientAddress: 'FROM',
  userAgent: 'BROWSER',
  createdAt: 'SIGNED IN',
  lastUsedAt: 'LAST USED',
}

const WHOSE = "a person's e-mail address, a mailbox user's login, the id of either or of a session"

export const sessionCommands: AddCommands = (program, cli) => {
  const session = program.command('session').description('who is signed in to the console and the webmail')
  withExamples(
    session.command('list').description('the sessions of a user, or of all, the latest used first; nothing secret'),
    'session list',
    'session list ada@example.com',
  )
    .argument('[whose]', WHOSE)
    .option('--limit <n>', 'how many at most', limit, 100)
    .action(async (text: string | undefined, options: { limit: number }) => {
      const items = await withDatabase(cli, (database) =>
        findSessions(database, text === undefined ? 'all' : sessionsOf(text), options.limit),
      )
      print(cli, { items }, table(items, COLUMNS, 'No sessions.'))
    })
  withExamples(
    session.command('end').description('end the sessions of a user, one session, or all: who has one signs in again'),
    'session end ada@example.com',
    'session end --all',
  )
    .argument('[whose]', WHOSE)
    .option('--all', 'those of everybody')
    .action(async (text: string | undefined, { all = false }: { all?: boolean }) => {
      if ((text !== undefined) === all) throw problem('validation_error', { message: 'Say whose, or --all.' })
      const ended = await withDatabase(cli, async (database) => {
        const count = await endFoundSessions(database, operator(), text === undefined ? 'all' : sessionsOf(text))
        if (count === 0 && text !== undefined) throw absent('session')
        return count
      })
      print(cli, { ended }, `${ended} ended`)
    })
}

function sessionsOf(text: string): WhichSessions {
  return isUuid(text) ? { id: text.toLowerCase() } : { login: text }
}
