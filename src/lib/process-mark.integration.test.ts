import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { isGone, ownMark } from './process-mark.ts'

const MODULE = new URL('./process-mark.ts', import.meta.url).href
const skip = process.platform === 'linux' ? false : 'only Linux says'

test('a process is there until it is killed, and what runs elsewhere is never taken for gone', { skip }, async () => {
  assert.match(ownMark(), /^[0-9a-f]{12}-\d+-\d+$/)
  assert.equal(isGone(ownMark()), false)
  const script = `import('${MODULE}').then((m) => process.stdout.write(m.ownMark())); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [mark] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string]
  assert.equal(isGone(mark), false)
  child.kill('SIGKILL')
  await once(child, 'exit')
  assert.equal(isGone(mark), true)
  // A process id that is taken again belongs to another.
  const [where] = mark.split('-')
  assert.equal(isGone(`${where}-${process.pid}-1`), true)
  for (const elsewhere of [`0${where?.slice(1)}x-${child.pid}-1`, '-', '', 'x', `${where}-..-1`]) {
    assert.equal(isGone(elsewhere), false, elsewhere)
  }
})
