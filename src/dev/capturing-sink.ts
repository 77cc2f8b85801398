// A relay for development: takes every mail and keeps it in a folder, so that it can be looked at. Nothing leaves
// the machine.
import { readdir, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { makeFolder } from '../lib/make-folder.ts'
import { newId } from '../lib/uuid.ts'

/** Older mail makes room. */
const KEPT = 500

/**
 * Starts the sink on a free loopback port. Each mail becomes `<id>.eml`; ids sort by time.
 * @throws Error naming the folder that cannot be made
 */
export async function startCapturingSink(folder: string): Promise<{ url: string; stop(): Promise<void> }> {
  // The one around it is the data folder, through which the database's user must be able to pass.
  await makeFolder(dirname(folder), 0o711)
  await makeFolder(folder, 0o700)
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    logger: false,
    onData(stream, _session, done) {
      keep(stream).then(
        (name) => done(null, `2.0.0 captured as ${name}`),
        (error: Error) => done(error),
      )
    },
  })
  server.on('error', () => {}) // A connection that breaks is the relay client's to report.

  async function keep(stream: Parameters<typeof buffer>[0]): Promise<string> {
    const name = `${newId()}.eml`
    await writeFile(join(folder, name), await buffer(stream))
    const names = (await readdir(folder)).filter((other) => other.endsWith('.eml')).sort()
    for (const old of names.slice(0, -KEPT)) await rm(join(folder, old), { force: true })
    return name
  }

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
