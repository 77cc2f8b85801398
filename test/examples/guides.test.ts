// The guides, done as they are written: every block of each page, in order, against `mdk dev`.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import { call } from '../support/api.ts'
import { freePort } from '../support/free-port.ts'
import { startReceiver } from '../support/receiver.ts'
import { startService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'
import { type CodeBlock, codeBlocks } from './guide.ts'
import { createReader } from './reader.ts'

const skip = skipWithout('python3')
/** The machine may be busy. */
const PATIENCE_MS = 60_000

const folder = await temporaryFolder('guides-')
const service = await startService({ MDK_DATA_DIR: join(folder, 'data') }, ['dev'])
after(async () => {
  await service.stop()
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})
const start = await until('what it prints', () => service.logs.find((line) => 'testKey' in line))
const key = String(start.testKey)
const read = async (path: string) => (await call(service.url, 'GET', path, { key })).body.items

test('the quick start leads a stranger to a verified webhook and a reconciled feed', { skip }, async () => {
  const port = String(await freePort())
  const reader = createReader(folder, { BASE: service.url, KEY: key }, [['3000', port]])
  let receiver: ChildProcess | undefined
  let output = ''
  const stopReceiver = async () => {
    if (!receiver) return
    const exited = once(receiver, 'exit')
    receiver.kill()
    receiver = undefined
    await exited
  }
  after(stopReceiver)
  const runReceiver = async (command: string) => {
    await stopReceiver()
    // As the shell would, with what is assigned in front of the command.
    const args = ['-c', `exec env ${command.replace('whsec_…', '"$SECRET"')}`]
    receiver = spawn('bash', args, { cwd: folder, env: reader.env, stdio: ['ignore', 'pipe', 'inherit'] })
    receiver.stdout?.setEncoding('utf8').on('data', (printed: string) => {
      output += printed
    })
    const listens = () =>
      fetch(`http://127.0.0.1:${port}`).then(
        () => true,
        () => false,
      )
    await until('the receiver listens', listens, PATIENCE_MS)
  }

  const blocks = await codeBlocks('01-quick-start.md')
  const printed: string[] = []
  for (const block of blocks) {
    if (block.code.includes('python3 receiver.py')) await runReceiver(block.code.trim())
    else printed.push(await reader.follow(block))
    if (block.code.includes('my-second-message')) {
      await until('the receiver has them', () => output.split('\n').length > 3, PATIENCE_MS)
      await until('the feed has both messages', async () => (await read('/v1/events')).length === 6, PATIENCE_MS)
    }
  }

  const answers = printed.filter((answer) => answer.startsWith('{')).map((answer) => JSON.parse(answer))
  const [mailboxes, first, message, endpoint, second, ...none] = answers
  assert.deepEqual(none, [])
  assert.equal(mailboxes.items[0].address, 'hello@demo.test')
  assert.equal(message.message.id, first.id)
  assert.notEqual(second.id, first.id)
  assert.equal(endpoint.endpoint.enabled, true)
  const types = output
    .trim()
    .split('\n')
    .map((line) => line.replace(/ [0-9a-f-]+ /, ' '))
  assert.deepEqual(types.sort(), ['message.bounced new', 'message.queued new', 'message.sent new'])
  const deliveries = () => read('/v1/webhook-deliveries') as Promise<{ status: string }[]>
  const counted = async () => (await deliveries()).filter(({ status }) => status === 'delivered').length === 3
  await until('its answers count', counted, PATIENCE_MS)
  assert.equal(printed.at(-1), '6 events, 3 new\n', 'all but what the receiver had stored')

  await stopReceiver()
  const again = await reader.follow(blocks.find(({ code }) => code.includes('my-first-message')) as CodeBlock)
  assert.deepEqual(JSON.parse(again), first, 'the same key gives the same message')
  assert.equal(
    await reader.follow(blocks.at(-1) as CodeBlock),
    '0 events, 0 new\n',
    'and the feed goes on where it was',
  )
})

test('every command of the other guides is carried out', async () => {
  const receiver = await startReceiver()
  const reader = createReader(folder, { BASE: service.url, KEY: key }, [
    ['https://example.com/hooks/mail', receiver.url],
  ])
  reader.env.MAILBOX = String(start.mailboxId)
  reader.env.CURSOR = '2026-01-01T00:00:00Z'
  await writeFile(join(folder, 'invoice.pdf'), 'not quite')

  for (const guide of [
    '02-sending',
    '03-receiving',
    '04-attachments',
    '05-webhooks',
    '06-events',
    '07-idempotency',
    '10-sandbox',
  ]) {
    let commands = 0
    for (const block of await codeBlocks(`${guide}.md`)) {
      if (!block.code.includes('$BASE') || block.language !== 'sh') continue
      if (block.code.includes('/raw')) {
        const built = () => call(service.url, 'GET', `/v1/messages/${reader.env.ID}/raw`, { key })
        await until('the message is built', async () => (await built()).status === 200, PATIENCE_MS)
      }
      if (block.code.includes('$DELIVERY')) {
        await call(service.url, 'POST', '/v1/messages', {
          key,
          headers: { 'idempotency-key': 'something-to-tell' },
          body: { fromMailboxId: reader.env.MAILBOX, to: ['you@example.net'], text: 'x' },
        })
        const delivery = async () => (await read(`/v1/webhook-deliveries?endpointId=${reader.env.ENDPOINT}`))[0]?.id
        reader.env.DELIVERY = await until('something was delivered', delivery, PATIENCE_MS)
      }
      await reader.follow(block)
      commands += block.code.match(/\bcurl /g)?.length ?? 0
    }
    assert(commands > 0, `${guide} has commands`)
  }
})
