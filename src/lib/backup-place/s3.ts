// A place for backups in a bucket of Amazon S3 or of a server that speaks its protocol.
import type { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import type { BackupPlace } from '../backup-place.ts'
import { impatient } from '../object-store/impatient.ts'
import {
  io,
  makeBucket,
  makeS3Client,
  putWithinMs,
  SILENCE_TIMEOUT_MS,
  spool,
  unlessAbsent,
} from '../object-store/s3-client.ts'
import type { S3Location } from '../object-store/s3-location.ts'
import { StoreUnavailable } from '../object-store.ts'
import { once } from '../once.ts'

const THE_PLACE = 'the place of the backups'

export async function openS3Place(location: S3Location): Promise<BackupPlace> {
  const client = await makeS3Client(location)
  const { bucket: Bucket, prefix } = location
  const at = (name: string) => ({ Bucket, Key: `${prefix}${name}` })
  const prepare = once(() => makeBucket(client, Bucket))

  return {
    async put(name, source) {
      await prepare()
      // The server wants the length first.
      await using spooled = await spool(source)
      const command = new PutObjectCommand({ ...at(name), Body: spooled.read(), ContentLength: spooled.sizeBytes })
      await io(() => client.send(command, { requestTimeout: putWithinMs(spooled.sizeBytes) }), THE_PLACE)
    },
    async get(name) {
      const found = await unlessAbsent(() => client.send(new GetObjectCommand(at(name))), THE_PLACE)
      const silent = () => new StoreUnavailable(`${THE_PLACE} fell silent`)
      return found && impatient(found.Body as Readable, SILENCE_TIMEOUT_MS, silent)
    },
    async has(name) {
      return (await unlessAbsent(() => client.send(new HeadObjectCommand(at(name))), THE_PLACE)) !== undefined
    },
    async *list(folder) {
      let ContinuationToken: string | undefined
      do {
        const from = ContinuationToken === undefined ? {} : { ContinuationToken }
        const command = new ListObjectsV2Command({ Bucket, Prefix: `${prefix}${folder}`, ...from })
        const page = await unlessAbsent(() => client.send(command), THE_PLACE)
        for (const { Key = '' } of page?.Contents ?? []) yield Key.slice(prefix.length)
        ContinuationToken = page?.IsTruncated ? page.NextContinuationToken : undefined
      } while (ContinuationToken !== undefined)
    },
    async delete(name) {
      await unlessAbsent(() => client.send(new DeleteObjectCommand(at(name))), THE_PLACE)
    },
  }
}
