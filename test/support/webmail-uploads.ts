// Files that a user of the webmail sends to it, as its pages do.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { newId, type Uuid } from '../../src/lib/uuid.ts'
import type { TestUser } from './people.ts'
import type { TestSite } from './site.ts'

export interface TestFile {
  mailboxId: Uuid
  filename: string
  mediaType: string
  bytes: Buffer
}

export function uploadsTo(site: TestSite) {
  const ask = (user: TestUser, path: string, body?: unknown) => site.ask('POST', path, { session: user.session, body })

  const begin = async (user: TestUser, { bytes, ...file }: TestFile): Promise<Uuid> => {
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const { status, text, body } = await ask(user, '/data/uploads', {
      ...{ key: newId(), ...file, sizeBytes: bytes.length, sha256 },
    })
    assert.equal(status, 201, text)
    return body.uploadId
  }

  const put = (user: TestUser, id: Uuid, bytes: Buffer, mediaType: string) =>
    fetch(`${site.listensAt}/data/uploads/${id}/content`, {
      method: 'PUT',
      headers: {
        cookie: `__Host-mdk_webmail=${user.session.cookie}`,
        'sec-fetch-site': 'same-origin',
        'content-type': mediaType,
      },
      body: new Uint8Array(bytes),
    })

  return {
    begin,
    put,
    complete: (user: TestUser, id: Uuid) => ask(user, `/data/uploads/${id}/complete`),
    /** All of it; gives the id. */
    async upload(user: TestUser, file: TestFile): Promise<Uuid> {
      const id = await begin(user, file)
      assert.equal((await put(user, id, file.bytes, file.mediaType)).status, 204)
      assert.equal((await ask(user, `/data/uploads/${id}/complete`)).status, 200)
      return id
    },
  }
}
