import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CutOff, readCsv } from './csv-file.ts'

const MARK = 'end-0123456789'

/** In pieces of so many octets. */
function streamOf(text: string, size: number): ReadableStream<Uint8Array> {
  const octets = new TextEncoder().encode(text)
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= octets.length) return controller.close()
      controller.enqueue(octets.slice(at, at + size))
      at += size
    },
  })
}

const FILE = 'id,subject\r\n1,plain\r\n2,"two\r\nlines, ""quoted"""\r\n3,grüße 🙂\r\n'

test('however it is cut into pieces, rows are counted and the file is what was sent, without its mark', async () => {
  for (const size of [1, 2, 3, 7, 13, 1_000]) {
    const counted: number[] = []
    const { blob, rows } = await readCsv(streamOf(FILE + MARK, size), MARK, (rows) => counted.push(rows))
    assert.equal(rows, 3, `pieces of ${size}`)
    assert.deepEqual(Buffer.from(await blob.arrayBuffer()), Buffer.from(`\ufeff${FILE}`))
    assert.deepEqual(
      counted,
      [...counted].sort((a, b) => a - b),
    )
  }
})

test('a list without rows is a file with the names of its columns', async () => {
  const { blob, rows } = await readCsv(streamOf(`id,subject\r\n${MARK}`, 5), MARK, () => {})
  assert.deepEqual([rows, Buffer.from(await blob.arrayBuffer()).toString()], [0, '\ufeffid,subject\r\n'])
})

test('what ends early is not taken for whole, wherever it ends', async () => {
  const whole = new TextEncoder().encode(FILE + MARK).length
  for (const end of [0, 5, FILE.length, whole - MARK.length, whole - 1]) {
    const cut = Buffer.from(FILE + MARK)
      .subarray(0, end)
      .toString('latin1')
    const body = streamOf('', 1)
    await assert.rejects(
      readCsv(end === 0 ? body : streamOf(cut, 7), MARK, () => {}),
      CutOff,
      `at ${end}`,
    )
  }
  const broken = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(FILE)),
    pull: (controller) => controller.error(new TypeError('network error')),
  })
  await assert.rejects(
    readCsv(broken, MARK, () => {}),
    TypeError,
  )
})

test('what is larger than a part is put together again', async () => {
  const line = `${'x'.repeat(998)}\r\n`
  const { blob, rows } = await readCsv(streamOf(line.repeat(9_001) + MARK, 64 * 1024), MARK, () => {})
  assert.deepEqual([rows, blob.size], [9_000, 3 + 9_001 * 1_000])
})
