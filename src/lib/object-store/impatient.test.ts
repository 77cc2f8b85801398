import assert from 'node:assert/strict'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { impatient } from './impatient.ts'

const silent = () => new Error('silent')

test('what comes in time comes whole', async () => {
  const source = new PassThrough()
  source.write('one, ')
  setImmediate(() => source.end('two'))
  assert.equal((await buffer(impatient(source, 60_000, silent))).toString(), 'one, two')
})

test('silence in the middle is an error, and ends the source', async () => {
  const source = new PassThrough()
  source.write('one, ')
  await assert.rejects(buffer(impatient(source, 20, silent)), /silent/)
  assert(source.destroyed)
})

test('a reader may take its time', async () => {
  const source = new PassThrough()
  const reading = impatient(source, 20, silent)
  source.write(Buffer.alloc(reading.readableHighWaterMark + 1))
  await once(reading, 'readable')
  // For as long as another is waited for in vain.
  await assert.rejects(buffer(impatient(new PassThrough(), 20, silent)), /silent/)
  source.end()
  assert.equal((await buffer(reading)).length, reading.readableHighWaterMark + 1)
})

test('a reader that goes away ends the source', async () => {
  const source = new PassThrough()
  const reading = impatient(source, 60_000, silent)
  source.write('one')
  await once(reading, 'readable')
  reading.destroy()
  await once(source, 'close')
})
