import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const file = (name: string) => fileURLToPath(new URL(`testdata/${name}`, import.meta.url))

/**
 * A world of its own: two addresses that count as public lead to this machine, the hosts file says what the first
 * argument holds, and whatever is sent elsewhere vanishes without an answer.
 */
const NAMESPACE = `
set -e
ip link set lo up
ip addr add 93.184.215.14/32 dev lo
ip -6 addr add 2606:2800:21f:cb07::5/128 dev lo nodad
ip link add out type veth peer name away
ip link set out up
ip link set away up
ip neigh add 10.9.9.9 lladdr 02:00:00:00:00:01 dev out nud permanent
ip route add 10.9.9.9 dev out
ip route add default via 10.9.9.9
mount --bind "$1" /etc/hosts
shift
exec "$@"`

test('with nothing allowed, a public address is reached and no other', { skip: whyNot() }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'namespace-'))
  t.after(() => rm(folder, { recursive: true }))
  const hosts = join(folder, 'hosts')
  await writeFile(hosts, '127.0.0.1 localhost\n93.184.215.14 listed.hooks.example.com\n')

  const urls = {
    name: 'https://hooks.example.com/hook',
    misnamed: 'https://six.hooks.example.com/hook',
    literal: 'https://[2606:2800:21f:cb07::5]/hook',
    unencrypted: 'http://hooks.example.com/hook',
    private: 'https://private.hooks.example.com/hook',
    mixed: 'https://mixed.hooks.example.com/hook',
    listed: 'https://listed.hooks.example.com/hook',
    silent: 'https://silent.hooks.example.com/hook',
    loopback: 'https://127.0.0.1/hook',
    localhost: 'https://localhost/hook',
  }
  const { stdout } = await promisify(execFile)(
    'unshare',
    [
      '--net',
      '--mount',
      'sh',
      '-c',
      NAMESPACE,
      'namespace',
      hosts,
      process.execPath,
      file('in-namespace.ts'),
      ...Object.values(urls),
    ],
    { env: { ...process.env, NODE_EXTRA_CA_CERTS: file('ca.pem') } },
  )
  const { outcomes, requests, connectionsTo } = JSON.parse(stdout)

  assert.equal(outcomes[urls.name], 'response 204')
  assert.deepEqual(requests, ['::ffff:93.184.215.14 hooks.example.com hooks.example.com'])
  // Dialled, because it is public, and given up only because the certificate is for another name.
  assert.match(outcomes[urls.misnamed], /^tls: .*ALTNAME/)
  assert.match(outcomes[urls.literal], /^tls: .*ALTNAME/)
  assert.equal(connectionsTo['2606:2800:21f:cb07::5'], 2)

  assert.match(outcomes[urls.unencrypted], /^unsafe_address: .*https/)
  assert.match(outcomes[urls.private], /^unsafe_address: .*loopback/)
  assert.match(outcomes[urls.mixed], /^unsafe_address: .*loopback/)
  assert.match(outcomes[urls.loopback], /^unsafe_address: .*loopback/)
  assert.match(outcomes[urls.localhost], /^unsafe_address: .*localhost/)
  assert.match(outcomes[urls.listed], /^dns: /)
  assert.match(outcomes[urls.silent], /^timeout: .*connecting/)
  assert.deepEqual(Object.keys(connectionsTo).sort(), ['2606:2800:21f:cb07::5', '::ffff:93.184.215.14'])
})

/** Why this cannot run here, or false when it can. */
function whyNot(): string | false {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs root on Linux to make a network namespace'
  if (spawnSync('ip', ['-V']).status !== 0) return 'needs the package iproute2'
  if (spawnSync('unshare', ['--net', '--mount', 'true']).status !== 0)
    return 'needs the right to make a network namespace'
  return false
}
