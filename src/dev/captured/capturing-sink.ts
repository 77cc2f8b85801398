// A relay for development: takes every mail and keeps it in a folder, so that it can be looked at. Nothing leaves
// the machine.
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import type { CapturedEnvelope, MailFolder } from './mail-folder.ts'

/** Starts the sink on a free loopback port. */
export async function startCapturingSink(folder: MailFolder): Promise<{ url: string; stop(): Promise<void> }> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    logger: false,
    onData(stream, { envelope }, done) {
      buffer(stream)
        .then((octets) => folder.keep(envelopeOf(envelope), octets))
        .then(
          (id) => done(null, `2.0.0 captured as ${id}`),
          (error: Error) => done(error),
        )
    },
  })
  server.on('error', () => {}) // A connection that breaks is the relay client's to report.

  const listener = server.listen(0, '127.0.0.1')
  await new Promise<void>((resolve, reject) => {
    listener.once('listening', resolve)
    listener.once('error', reject)
  })
  return {
    url: `smtp://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function envelopeOf({ mailFrom, rcptTo }: SMTPServerSession['envelope']): CapturedEnvelope {
  return {
    sender: mailFrom === false ? '' : mailFrom.address,
    recipients: rcptTo.map(({ address }) => address),
    capturedAt: new Date().toISOString(),
  }
}
