// Every package runs on the Node.js that is pinned, and none makes npm warn of the one that installs it.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { admits, readLockfile, refusing, unused } from '../scripts/lock-engines.ts'

const ROOT = new URL('..', import.meta.url).pathname
const lockfile = readLockfile()

test('the lockfile holds no demand that npm would warn of on the oldest Node.js that may install us: else `npm run lock`', () => {
  assert.deepEqual(refusing(lockfile), [])
})

test('the lockfile has no package that nothing of ours uses: else `npm run lock`', () => {
  assert.deepEqual(unused(lockfile), [])
})

test('an optional package that nothing of ours uses is found, with what asks for it', () => {
  const packages = {
    'node_modules/@napi-rs/canvas-linux-x64-gnu': {},
    'node_modules/a': { optionalDependencies: { '@napi-rs/canvas': '1' } },
    'node_modules/b': { optionalDependencies: { c: '1' } },
  }
  assert.deepEqual(unused({ packages }), ['node_modules/@napi-rs/canvas-linux-x64-gnu', 'node_modules/a'])
})

test('a package that asks for more is found, and one that asks for as much is not', () => {
  const packages = {
    '': { engines: { node: '>=20' } },
    'node_modules/a': { engines: { node: '>=20.0.1' } },
    'node_modules/b': { engines: { node: '^18 || >=20.0.0' } },
    'node_modules/c': {},
  }
  assert.deepEqual(refusing({ packages }), ['node_modules/a'])
})

test('what every installed package asks for itself is met by each Node.js that is pinned', () => {
  const { optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const pinned = Object.keys(optionalDependencies)
    .filter((name) => name.startsWith('node-'))
    .map((name) => optionalDependencies[name] as string)
  assert.equal(pinned.length, 4)
  let asked = 0
  for (const path of Object.keys(lockfile.packages)) {
    const manifest = join(ROOT, path, 'package.json')
    if (path === '' || !existsSync(manifest)) continue
    const { engines } = JSON.parse(readFileSync(manifest, 'utf8'))
    if (typeof engines?.node !== 'string') continue
    for (const version of pinned) assert(admits(engines.node, version), `${path} asks for ${engines.node}`)
    asked += 1
  }
  assert(asked > 100)
})
