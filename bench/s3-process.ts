// An S3-compatible server for a bench, in a process of its own. Prints what MDK_OBJECT_STORE names it by, and ends with
// its input.
import { startS3 } from '../test/support/s3.ts'

const server = await startS3()
process.stdout.write(`${server.urlOf('bench')}\n`)
process.stdin.resume().once('end', () => void server.stop().then(() => process.exit(0)))
