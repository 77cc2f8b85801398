// A bare nodemailer pool: composes, signs and sends equal messages to one relay as fast as it goes, and prints how many
// a second. Arguments: relay's port, how many, connections, sender's address, DKIM selector and private key (PEM).
import { createTransport } from 'nodemailer'
import { SEND_RECIPIENT, SEND_SUBJECT, SEND_TEXT } from './send-text.ts'

const [port, count, connections, address, keySelector, privateKey] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
  string,
]
const domainName = address.slice(address.indexOf('@') + 1)
const transport = createTransport({
  pool: true,
  host: '127.0.0.1',
  port: Number(port),
  maxConnections: Number(connections),
  maxMessages: Number.POSITIVE_INFINITY,
  dkim: { domainName, keySelector, privateKey },
})

await send(Math.ceil(Number(count) / 10))
const began = performance.now()
await send(Number(count))
process.stdout.write(`${(Number(count) / (performance.now() - began)) * 1000}\n`)
transport.close()

/** With one message composed while another is sent, on each connection. */
async function send(many: number): Promise<void> {
  let left = many
  const one = async () => {
    while (left-- > 0) {
      const from = { name: 'Sender', address }
      await transport.sendMail({ from, to: SEND_RECIPIENT, subject: SEND_SUBJECT, text: SEND_TEXT })
    }
  }
  await Promise.all(Array.from({ length: 2 * Number(connections) }, one))
}
