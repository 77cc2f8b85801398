import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Command } from 'commander'
import { buildProgram } from './run-cli.ts'

/** docs/operate.md: each command, its arguments, what it must be given and what it may be given. */
const CONTRACT: [command: string, args: string, required: string, optional: string][] = [
  ['dev', '', '', ''],
  ['serve', '', '', '--roles'],
  ['migrate', '', '', ''],
  ['doctor', '', '', '--deep'],
  ['plan create', 'name', '', '--key-per-minute --tenant-per-day --messages-per-month --stored-mib --retention-days'],
  ['plan set', 'name', '', '--key-per-minute --tenant-per-day --messages-per-month --stored-mib --retention-days'],
  ['plan list', '', '', ''],
  ['plan show', 'name', '', ''],
  ['tenant create', '', '--name', '--plan'],
  ['tenant list', '', '', ''],
  ['tenant show', 'tenant', '', ''],
  ['tenant rename', 'tenant', '--name', ''],
  ['tenant suspend', 'tenant', '', ''],
  ['tenant resume', 'tenant', '', ''],
  ['domain add', '', '--tenant --domain', '--verified'],
  ['domain list', '', '--tenant', ''],
  ['domain show', 'domain', '', ''],
  ['domain check', 'domain', '', ''],
  ['domain rotate-dkim', 'domain', '', ''],
  ['mailbox create', '', '--tenant --address --name', ''],
  ['mailbox list', '', '--tenant', ''],
  ['mailbox show', 'mailbox', '', ''],
  ['mailbox suspend', 'mailbox', '', ''],
  ['mailbox resume', 'mailbox', '', ''],
  ['mailbox update', 'mailbox', '--name', ''],
  ['mailbox user add', '', '--mailbox --login', '--read-only'],
  ['mailbox user list', '', '', '--mailbox --tenant'],
  ['mailbox user remove', 'user', '--mailbox', ''],
  ['mailbox user reset', 'user', '', ''],
  ['person invite', '', '--tenant --email --role', ''],
  ['person list', '', '--tenant', ''],
  ['person remove', 'person', '', '--tenant'],
  ['person set-role', 'person', '--role', '--tenant'],
  ['person reset', 'person', '', '--tenant'],
  ['session list', 'whose?', '', '--limit'],
  ['session end', 'whose?', '', '--all'],
  ['app create', '', '--tenant --name --environment', ''],
  ['app list', '', '--tenant', ''],
  ['app show', 'app', '', '--tenant'],
  ['app suspend', 'app', '', '--tenant'],
  ['app resume', 'app', '', '--tenant'],
  ['key create', '', '--app --scope', '--tenant --expires-in --name'],
  ['key list', '', '--app', '--tenant'],
  ['key show', 'key', '', '--app --tenant'],
  ['key revoke', 'key', '', '--app --tenant'],
  ['message list', '', '', '--tenant --mailbox --app --q --limit --cursor'],
  ['message show', 'id', '', ''],
  ['message retry', 'id', '', ''],
  ['message cancel', 'id', '', ''],
  ['message hold', 'id', '', ''],
  ['message release', 'id', '', ''],
  ['message purge', 'id', '', ''],
  ['message delete', 'id', '', '--mailbox'],
  ['suppression list', '', '', '--tenant --app --limit --cursor'],
  ['suppression add', 'address', '', '--tenant --app --note'],
  ['suppression remove', 'address', '', '--tenant --app'],
  ['suppression import', 'file', '', '--tenant --app'],
  ['endpoint list', '', '--app', '--tenant'],
  ['endpoint show', 'endpoint', '', ''],
  ['endpoint enable', 'endpoint', '', ''],
  ['endpoint disable', 'endpoint', '', ''],
  ['endpoint rotate-secret', 'endpoint', '', ''],
  ['events list', '', '', '--tenant --app --limit'],
  ['events show', 'id', '', ''],
  ['events trigger', '', '--app --type', '--tenant --data'],
  ['events renew', '', '', ''],
  ['dead-letters list', '', '', '--queue --limit'],
  ['dead-letters show', 'id', '', ''],
  ['dead-letters replay', 'id', '', ''],
  ['listen', '', '--app --forward', '--tenant'],
  ['request list', '', '', '--tenant --app --status --code --limit'],
  ['request show', 'id', '', ''],
  ['audit list', '', '', '--tenant --limit'],
  ['audit show', 'id', '', ''],
  ['objects check', '', '', ''],
  ['objects repair', '', '', ''],
  ['backup', '', '', '--to --without-database'],
  ['backup list', '', '', '--from'],
  ['backup verify', 'id?', '', '--from'],
  ['restore', '', '', '--from --backup --to-time --to-backup --without-database'],
  ['secret-key rotate', '', '', ''],
  ['erase', '', '--address', '--tenant --keep-stops --yes'],
]

const program = buildProgram({ env: {}, json: true, jsonErrors: true, status: 0 }, () => {})

function find(path: string): Command {
  let command: Command = program
  for (const name of path.split(' ')) {
    command = command.commands.find((child) => child.name() === name) ?? assert.fail(`there is no mdk ${path}`)
  }
  return command
}

for (const [path, args, required, optional] of CONTRACT) {
  test(`mdk ${path} takes what the operator's contract says`, () => {
    const command = find(path)
    const named = command.registeredArguments.map((argument) => `${argument.name()}${argument.required ? '' : '?'}`)
    assert.equal(named.join(' '), args)
    const flags = (mandatory: boolean) =>
      command.options
        .filter((option) => option.mandatory === mandatory)
        .map((option) => option.long)
        .join(' ')
    assert.equal(flags(true), required)
    assert.equal(flags(false), optional)
  })
}

test('every command, argument and option says what it is', () => {
  const silent: string[] = []
  const look = (command: Command, path: string) => {
    if (!command.description()) silent.push(path)
    for (const { flags, description } of command.options) if (!description) silent.push(`${path} ${flags}`)
    for (const argument of command.registeredArguments) {
      if (!argument.description) silent.push(`${path} <${argument.name()}>`)
    }
    for (const child of command.commands) look(child, `${path} ${child.name()}`)
  }
  look(program, 'mdk')
  assert.deepEqual(silent, [])
})

test('the help of every command shows how it is used, by lines that the program understands', async () => {
  const leaves = (command: Command): Command[] =>
    command.commands.length === 0 ? [command] : command.commands.flatMap(leaves)
  for (const leaf of leaves(program)) {
    const help: string[] = []
    leaf.configureOutput({ writeOut: (text) => void help.push(text), getOutHelpWidth: () => 200 }).outputHelp()
    const examples = [...help.join('').matchAll(/^ {2}\$ mdk (.*)$/gm)].map(([, line = '']) => line)
    assert(examples.length > 0, `mdk ${leaf.name()} shows none`)
    for (const example of examples) {
      // What the shell keeps to itself: where the input comes from.
      const given = example.replace(/ < \S+$/, '')
      const words = [...given.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '')
      const understood = buildProgram({ env: {}, json: true, jsonErrors: true, status: 0 }, () => {})
      const done: string[] = []
      for (const each of leaves(understood)) each.action(() => void done.push(each.name()))
      await understood.parseAsync(words, { from: 'user' })
      assert.deepEqual(done, [leaf.name()], example)
    }
  }
})
