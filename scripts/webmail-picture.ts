// Makes docs/images/webmail.png, the webmail as the README shows it: an inbox, and a conversation that was answered.
// `node scripts/webmail-picture.ts`
import { createTransport } from 'nodemailer'
import type { Page } from 'playwright-core'
import { type Dev, takePicture, withDev } from './picture-of-dev.ts'

const FIRST = '<order-5521@studio.example>'
const ANSWER = 'Thank you, Sofia. The prints leave on Monday, and you get the number of the parcel then.'

const MAIL = [
  {
    from: 'Harbour Books <accounts@harbour.example>',
    subject: 'Statement for October',
    text: 'Your statement is below.',
  },
  {
    from: 'Ana Costa <ana.costa@example.net>',
    subject: 'Opening hours in December',
    text: 'Are you open on the 24th?',
  },
  {
    from: 'Gazette <press@gazette.example>',
    subject: 'Autumn programme',
    text: 'Readings, concerts and one exhibition.',
  },
  {
    from: 'Tom Berg <tom@example.org>',
    subject: 'Frames for the exhibition',
    text: 'Twelve frames, oak, as you asked for.',
  },
  { from: 'Inès Moreau <ines@example.fr>', subject: 'Votre rendez-vous du 24 novembre', text: 'Merci de confirmer.' },
  {
    from: 'Sofia Lind <sofia.lind@studio.example>',
    subject: 'Order 5521: when do the prints leave?',
    text: 'Hello,\n\nWe hang the exhibition on Thursday. When do the prints leave?\n\nSofia',
    messageId: FIRST,
  },
]

await withDev({}, async (dev) => {
  await deliver(dev)
  await takePicture('webmail.png', dev.webmailLink, async (page) => {
    await page.goto(`${dev.webmailUrl}/inbox`)
    await page.getByText('Order 5521').first().click()
    await page
      .getByRole('link', { name: 'Reply', exact: true })
      .or(page.getByRole('button', { name: 'Reply', exact: true }))
      .click()
    await answer(page)
  })
})

/** What has come to the mailbox. */
async function deliver({ smtpUrl, address }: Dev): Promise<void> {
  const server = new URL(smtpUrl)
  const transport = createTransport({ host: server.hostname, port: Number(server.port), ignoreTLS: true })
  for (const mail of MAIL) await transport.sendMail({ ...mail, to: address })
  transport.close()
}

async function answer(page: Page): Promise<void> {
  const written = page.getByRole('textbox', { name: 'Message', exact: true })
  await written.click()
  await page.keyboard.press('Control+Home')
  await page.keyboard.type(ANSWER)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('View message').waitFor()
}
