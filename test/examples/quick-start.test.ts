// The quick start, done as it is written: every block of the page, in order, against `mdk dev`.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import { call } from '../support/api.ts'
import { freePort } from '../support/free-port.ts'
import { startService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'
import { type CodeBlock, codeBlocks } from './guide.ts'

const skip = skipWithout('python3')
const folder = await temporaryFolder('quick-start-')
after(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))

/** Where the page's receiver listens; another port when somebody has that one. */
const PORT = '3000'

test('a stranger gets from an address and a key to a verified webhook and a reconciled feed', { skip }, async () => {
  const service = await startService({ MDK_DATA_DIR: join(folder, 'data') }, ['dev'])
  const start = await until('what it prints', () => service.logs.find((line) => 'testKey' in line))
  const port = await freePort()
  const env: Record<string, string> = { PATH: process.env.PATH ?? '' }
  /** What the page tells to take from an answer. */
  const taken: Record<string, string> = { BASE: service.url, KEY: String(start.testKey) }
  let receiver: ChildProcess | undefined
  let told = ''

  const stopReceiver = async () => {
    if (!receiver) return
    receiver.kill()
    await once(receiver, 'exit')
  }
  const startReceiver = async (command: string) => {
    await stopReceiver()
    // As the shell would, with what is assigned in front of the command.
    receiver = spawn('bash', ['-c', `exec env ${command}`], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
    after(() => receiver?.kill())
    receiver.stdout?.setEncoding('utf8').on('data', (printed: string) => {
      told += printed
    })
    await until('the receiver listens', () =>
      fetch(`http://127.0.0.1:${port}`).then(
        () => true,
        () => false,
      ),
    )
  }

  /** Does what the page says with one block, and gives what it printed. */
  const follow = async ({ language, code }: CodeBlock): Promise<string> => {
    if (language === 'json') return ''
    if (language === 'python') {
      const [, name = ''] = /^# (\w+\.py)\n/.exec(code) ?? []
      await writeFile(join(folder, name), code.replace(PORT, String(port)))
      return ''
    }
    if (code.includes('receiver.py')) {
      await startReceiver(code.trim().replace('whsec_…', taken.SECRET ?? ''))
      return ''
    }
    for (const [, name = '', value = ''] of code.matchAll(/^export (\w+)=(.*)$/gm)) {
      env[name] = value.includes('…') || name === 'BASE' ? (taken[name] ?? '') : value
    }
    const shell = spawn('bash', ['-e'], { cwd: folder, env, stdio: ['pipe', 'pipe', 'inherit'] })
    shell.stdin.end(code.replace(PORT, String(port)))
    const printed = await text(shell.stdout)
    const answer = printed.startsWith('{') ? JSON.parse(printed) : {}
    if (answer.items?.[0]?.address) taken.MAILBOX = answer.items[0].id
    if (answer.status === 'queued') taken.ID = answer.id
    if (answer.secret) taken.SECRET = answer.secret
    return printed
  }

  const blocks = await codeBlocks('01-quick-start.md')
  const printed = []
  const read = async (path: string) => (await call(service.url, 'GET', path, { key: taken.KEY ?? '' })).body.items
  for (const block of blocks) {
    printed.push(await follow(block))
    if (block.code.includes('my-second-message')) {
      await until('the receiver is told', () => told.split('\n').length > 3)
      await until('the feed has both messages', async () => (await read('/v1/events')).length === 6)
    }
  }

  const answers = printed.filter((answer) => answer.startsWith('{')).map((answer) => JSON.parse(answer))
  const [mailboxes, first, message, endpoint, second, ...none] = answers
  assert.deepEqual(none, [])
  assert.equal(mailboxes.items[0].address, 'hello@demo.test')
  assert.equal(message.message.id, first.id)
  assert.notEqual(second.id, first.id)
  assert.equal(endpoint.endpoint.enabled, true)
  const types = told
    .trim()
    .split('\n')
    .map((line) => line.replace(/ [0-9a-f-]+ /, ' '))
  assert.deepEqual(types.sort(), ['message.bounced new', 'message.queued new', 'message.sent new'])
  await until('its answers count', async () => {
    const deliveries = (await read('/v1/webhook-deliveries')) as { status: string }[]
    return deliveries.length === 3 && deliveries.every(({ status }) => status === 'delivered')
  })
  assert.equal(printed.at(-1), '6 events, 3 new\n', 'all but what the receiver had stored')

  await stopReceiver()
  const again = await follow(blocks.find(({ code }) => code.includes('my-first-message')) as CodeBlock)
  assert.deepEqual(JSON.parse(again), first, 'the same key gives the same message')
  assert.equal(await follow(blocks.at(-1) as CodeBlock), '0 events, 0 new\n', 'and the feed goes on where it was')
})
