// Sends one mail to each address of a list, and can be stopped and started again at any moment: nobody is sent to
// twice. Its own record says who is done; between a send and that record stands the idempotency key, made from the
// campaign and the address, with which the service gives the first answer again for 24 hours: start it again within
// them.
//
//   BASE=http://127.0.0.1:8080 KEY=mdk_test_… MAILBOX=… node examples/bulk-sender.ts campaign addresses.txt [sent.db]
//
// The key needs the scope messages:send. Node 24. In a project of your own, import from '@mail-developer-api/client'.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { ApiError, MailDeveloperApi } from '../sdk/src/index.ts'

const AT_ONCE = 8
/** A limit by the minute is waited for, as long as Retry-After says; the client does that, this often for one send. */
const ATTEMPTS = 20

const { BASE: baseUrl = '', KEY: apiKey = '', MAILBOX: fromMailboxId = '' } = process.env
const [campaign = '', list = '', file = 'sent.db'] = process.argv.slice(2)
const api = new MailDeveloperApi({ baseUrl, apiKey, attempts: ATTEMPTS })

const database = new DatabaseSync(file)
database.exec(`
  create table if not exists sent (
    campaign text, address text, message_id text, refusal text, primary key (campaign, address)
  ) strict
`)
const isDone = database.prepare('select 1 from sent where campaign = ? and address = ?')
const record = database.prepare('insert into sent (campaign, address, message_id, refusal) values (?, ?, ?, ?)')

const addresses = new Set((await readFile(list, 'utf8')).split('\n').map((line) => line.trim()))
addresses.delete('')
const open = [...addresses].filter((address) => !isDone.get(campaign, address))
console.log(`${addresses.size} addresses, ${open.length} to do`)

await Promise.all(Array.from({ length: AT_ONCE }, sendFromList))
database.close()

/** One of several at once, which share what is left to do. */
async function sendFromList(): Promise<void> {
  for (let address = open.shift(); address !== undefined; address = open.shift()) await sendTo(address)
}

async function sendTo(address: string): Promise<void> {
  const key = createHash('sha256').update(`${campaign}\n${address}`).digest('hex')
  try {
    const mail = { fromMailboxId, to: [address], subject: 'News', text: 'Dear reader, …' }
    const { id } = await api.sendMessage(mail, { idempotencyKey: key })
    record.run(campaign, address, id, null)
    console.log(`sent ${address} ${id}`)
  } catch (error) {
    // An address that is not valid stops nobody else; a key that is revoked or a plan that is used up stops all.
    const fault = error instanceof ApiError && error.fields.find(({ path }) => path.startsWith('to['))
    if (!fault) throw error
    record.run(campaign, address, null, fault.message)
    console.error(`refused ${address}: ${fault.message}`)
  }
}
