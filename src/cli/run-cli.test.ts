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
  ['plan set', 'name', '', '--key-per-minute --tenant-per-day --messages-per-month --stored-mib --retention-days'],
  ['tenant create', '', '--name', '--plan'],
  ['tenant suspend', 'id', '', ''],
  ['tenant resume', 'id', '', ''],
  ['domain add', '', '--tenant --domain', '--verified'],
  ['domain check', 'id', '', ''],
  ['mailbox create', '', '--tenant --address --name', ''],
  ['mailbox suspend', 'id', '', ''],
  ['mailbox resume', 'id', '', ''],
  ['mailbox update', 'id', '--name', ''],
  ['app create', '', '--tenant --name --environment', ''],
  ['app suspend', 'id', '', ''],
  ['app resume', 'id', '', ''],
  ['key create', '', '--app --scope', '--expires-in --name'],
  ['key list', '', '--app', ''],
  ['key revoke', 'id', '', ''],
  ['message hold', 'id', '', ''],
  ['message release', 'id', '', ''],
  ['message purge', 'id', '', ''],
  ['message delete', 'id', '', '--mailbox'],
  ['endpoint list', '', '--app', ''],
  ['endpoint enable', 'id', '', ''],
  ['endpoint disable', 'id', '', ''],
  ['endpoint rotate-secret', 'id', '', ''],
  ['events trigger', '', '--app --type', '--data'],
  ['events renew', '', '', ''],
  ['dead-letters list', '', '', '--queue --limit'],
  ['dead-letters replay', 'id', '', ''],
  ['listen', '', '--app --forward', ''],
  ['audit list', '', '', '--tenant --limit'],
]

const program = buildProgram({ env: {}, json: true, status: 0 }, () => {})

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
    assert.equal(command.registeredArguments.map((argument) => argument.name()).join(' '), args)
    assert(command.registeredArguments.every((argument) => argument.required))
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
