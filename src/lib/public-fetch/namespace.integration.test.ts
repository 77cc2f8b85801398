import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { runInNamespace, whyNoNamespace } from '../../../test/support/network-namespace.ts'

const file = (name: string) => fileURLToPath(new URL(`testdata/${name}`, import.meta.url))

test('with nothing allowed, a public address is reached and no other', { skip: whyNoNamespace() }, async (t) => {
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
  const stdout = await runInNamespace([file('in-namespace.ts'), ...Object.values(urls)], {
    hosts,
    env: { ...process.env, NODE_EXTRA_CA_CERTS: file('ca.pem') },
  })
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
