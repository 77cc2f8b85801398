// The mail that the relay of `mdk dev` has taken, in a folder: of each the octets as they came, and beside them its envelope.
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '../../lib/make-folder.ts'
import { newId, type Uuid } from '../../lib/uuid.ts'

/** Older mail makes room. */
const KEPT = 500

export interface CapturedEnvelope {
  /** Empty: the null sender. */
  sender: string
  recipients: string[]
  /** When it was taken: ISO 8601. */
  capturedAt: string
}

export interface KeptMail {
  envelope: CapturedEnvelope
  octets: Buffer
}

export interface MailFolder {
  /** Gives the id of the mail: ids sort by time. */
  keep(envelope: CapturedEnvelope, octets: Uint8Array): Promise<Uuid>
  /** The ids of all that is there, newest first. */
  list(): Promise<Uuid[]>
  /** Undefined when there is none. */
  read(id: Uuid): Promise<KeptMail | undefined>
}

const MAIL = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.eml$/

/** Makes the folder when it is not there yet. Nobody else may read it. @throws Error naming what cannot be made */
export async function openMailFolder(folder: string): Promise<MailFolder> {
  // The one around it is the data folder, through which the database's user must be able to pass.
  await makeFolder(dirname(folder), 0o711)
  await makeFolder(folder, 0o700)
  const at = (id: Uuid, ending: 'eml' | 'json' | 'part') => join(folder, `${id}.${ending}`)

  async function list(): Promise<Uuid[]> {
    return (await readdir(folder))
      .flatMap((name) => MAIL.exec(name)?.[1] ?? [])
      .sort()
      .reverse()
  }

  return {
    list,
    async keep(envelope, octets) {
      const id = newId()
      await writeFile(at(id, 'json'), JSON.stringify(envelope))
      await writeFile(at(id, 'part'), octets)
      // Last, and at once: what is listed is there as a whole.
      await rename(at(id, 'part'), at(id, 'eml'))
      for (const old of (await list()).slice(KEPT)) {
        await rm(at(old, 'eml'), { force: true })
        await rm(at(old, 'json'), { force: true })
      }
      return id
    },
    async read(id) {
      try {
        const [envelope, octets] = await Promise.all([readFile(at(id, 'json'), 'utf8'), readFile(at(id, 'eml'))])
        return { envelope: JSON.parse(envelope) as CapturedEnvelope, octets }
      } catch (error) {
        // It has made room meanwhile.
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
    },
  }
}
