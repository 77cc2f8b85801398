// Makes docs/images/console.png, the console as the README shows it: over `mdk dev` with some mail, of which a relay has reported.
// `node scripts/console-picture.ts`
import { createHmac } from 'node:crypto'
import { until } from '../test/support/until.ts'
import { type Dev, takePicture, withDev } from './picture-of-dev.ts'

const SECRET = 'the relay of the picture'

interface Mail {
  to: string
  subject: string
  /** Absent: the relay has it, and has not reported. */
  report?: { outcome: 'delivered' | 'bounced' | 'failed'; smtpCode: number; enhancedCode: string; diagnostic: string }
}

const delivered = { outcome: 'delivered', smtpCode: 250, enhancedCode: '2.0.0', diagnostic: '250 2.0.0 OK' } as const
const unknown = {
  outcome: 'bounced',
  smtpCode: 550,
  enhancedCode: '5.1.1',
  diagnostic: '550 5.1.1 The email account that you tried to reach does not exist',
} as const
const full = {
  outcome: 'failed',
  smtpCode: 452,
  enhancedCode: '4.2.2',
  diagnostic: '452 4.2.2 The mailbox is over its quota',
} as const

const MAIL: readonly Mail[] = [
  { to: 'sofia.lind@example.net', subject: 'Your invoice 2026-1038', report: delivered },
  { to: 'j.okafor@example.org', subject: 'Welcome to Northwind', report: delivered },
  { to: 'marta@old-address.example', subject: 'Your invoice 2026-1039', report: unknown },
  { to: 'accounts@harbour.example', subject: 'Payment received, thank you', report: delivered },
  { to: 'li.wei@example.com', subject: 'Confirm your email address', report: delivered },
  { to: 'ana.costa@example.net', subject: 'Your order 5521 is on its way', report: full },
  { to: 'tom@example.org', subject: 'Your password was changed', report: delivered },
  { to: 'press@gazette.example', subject: 'Autumn programme', report: delivered },
  { to: 'ines.moreau@example.fr', subject: 'Votre rendez-vous du 24 novembre', report: delivered },
  { to: 'ada@example.com', subject: 'Your invoice 2026-1040' },
]

await withDev({ MDK_RELAY_REPORT_SECRET: SECRET }, async (dev) => {
  for (const mail of MAIL) await report(dev, mail, await send(dev, mail))
  await takePicture('console.png', dev.consoleLink, async (page) => {
    await page.goto(`${dev.consoleUrl}/messages`)
    await page
      .getByText(MAIL.at(-1)?.subject ?? '')
      .first()
      .waitFor()
  })
})

/** Gives its id, once the relay has it. */
async function send({ url, liveKey, mailboxId }: Dev, { to, subject }: Mail): Promise<string> {
  const headers = { authorization: `Bearer ${liveKey}`, 'content-type': 'application/json' }
  const answer = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { ...headers, 'idempotency-key': `picture ${subject}` },
    body: JSON.stringify({ fromMailboxId: mailboxId, to: [to], subject, text: `${subject}.` }),
  })
  const { id } = (await answer.json()) as { id: string }
  await until('it is sent', async () => {
    const message = await fetch(`${url}/v1/messages/${id}`, { headers })
    return (await message.text()).includes('"status":"sent"')
  })
  return id
}

async function report({ url }: Dev, { to: recipient, report }: Mail, messageId: string): Promise<void> {
  if (!report) return
  const body = JSON.stringify({ reports: [{ messageId, recipient, ...report }] })
  const timestamp = String(Math.floor(Date.now() / 1000))
  const digest = createHmac('sha256', SECRET).update(`${timestamp}.${body}`).digest('hex')
  const answer = await fetch(`${url}/v1/relay-reports`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'relay-report-timestamp': timestamp,
      'relay-report-signature': `v1=${digest}`,
    },
    body,
  })
  if (!answer.ok) throw new Error(await answer.text())
}
