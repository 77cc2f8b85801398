// By how much the memory of `mdk serve` grows while sixteen attachments of 25 MiB go up at once, and then come down at
// once. Its peak is read from the kernel, so that nothing between two looks is missed (Linux only).
import { createHash, randomBytes } from 'node:crypto'
import { Agent, request } from 'undici'
import { openDatabase } from '../src/lib/sql.ts'
import { newId } from '../src/lib/uuid.ts'
import { createTestTenant, type TestTenant } from '../test/support/tenant.ts'
import { forgetPeak, type MdkProcess, peakMib, residentMib, startMdk } from './mdk-process.ts'

const MIB = 1024 * 1024
const FILES = 16
/** What comes before it is measured, so that code that was not loaded yet does not count as growth. */
const WARM_UP = { files: 2, bytes: MIB }

/** In MiB. `url` is a migrated database that nothing else uses, `env` names the store. */
export async function benchGrowth(url: string, env: Record<string, string>, bytes: number): Promise<number> {
  const database = openDatabase({ url })
  const tenant = await createTestTenant(database)
  await database.end()
  const mdk = await startMdk({ MDK_DATABASE_URL: url, MDK_RELAY_URL: 'smtp://127.0.0.1:1', ...env })
  const dispatcher = new Agent({ connections: FILES })
  try {
    const move = async (files: number, content: Buffer) => {
      const ids = await Promise.all(Array.from({ length: files }, () => upload(mdk, dispatcher, tenant, content)))
      await Promise.all(ids.map((id) => download(mdk, dispatcher, tenant, id, content.length)))
    }
    await move(WARM_UP.files, randomBytes(WARM_UP.bytes))
    const content = randomBytes(bytes)
    const before = await residentMib(mdk.child)
    await forgetPeak(mdk.child)
    await move(FILES, content)
    return Math.round((await peakMib(mdk.child)) - before)
  } finally {
    await dispatcher.close()
    mdk.child.kill('SIGKILL')
  }
}

/** Gives the attachment's id. */
async function upload(mdk: MdkProcess, dispatcher: Agent, tenant: TestTenant, content: Buffer): Promise<string> {
  const { uploadId, upload: put } = await call<{
    uploadId: string
    upload: { url: string; headers: Record<string, string> }
  }>(mdk, dispatcher, tenant, 'POST', '/v1/attachments/uploads', {
    mailboxId: tenant.mailboxId,
    filename: 'file.bin',
    mediaType: 'application/octet-stream',
    sizeBytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
  })
  const answer = await request(put.url, { method: 'PUT', headers: put.headers, body: content, dispatcher })
  if (answer.statusCode >= 300) throw new Error(`an upload was answered ${answer.statusCode}`)
  await answer.body.dump()
  await call(mdk, dispatcher, tenant, 'POST', `/v1/attachments/uploads/${uploadId}/complete`)
  return uploadId
}

async function download(mdk: MdkProcess, dispatcher: Agent, tenant: TestTenant, id: string, bytes: number) {
  const path = `/v1/attachments/${id}/download-url`
  const { url } = await call<{ url: string }>(mdk, dispatcher, tenant, 'GET', path)
  const answer = await request(url, { dispatcher })
  let came = 0
  for await (const chunk of answer.body) came += (chunk as Buffer).length
  if (came !== bytes) throw new Error(`a download gave ${came} bytes instead of ${bytes}`)
}

async function call<Answer>(
  mdk: MdkProcess,
  dispatcher: Agent,
  { key }: TestTenant,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
): Promise<Answer> {
  const answer = await request(mdk.httpUrl + path, {
    method,
    dispatcher,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': newId() },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (answer.statusCode >= 300) throw new Error(`${method} ${path} was answered ${answer.statusCode}`)
  return (await answer.body.json()) as Answer
}
