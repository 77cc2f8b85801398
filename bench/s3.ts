// A real S3-compatible server for the time of a bench, in a process of its own.
import { S3_CREDENTIALS } from '../test/support/s3.ts'
import { startLineProcess } from './line-process.ts'

/** Gives the work what the environment of `mdk` must hold. */
export async function lendS3<T>(work: (env: Record<string, string>) => Promise<T>): Promise<T> {
  const server = await startLineProcess('s3-process.ts')
  try {
    return await work({ MDK_OBJECT_STORE: server.greeting, ...S3_CREDENTIALS })
  } finally {
    await server.end()
  }
}
