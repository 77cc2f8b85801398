import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readConfig } from '../config.ts'
import { readKeyPair } from '../lib/tls/key-pair.ts'
import { makeSelfSignedCertificate } from '../servers/smtp/self-signed-certificate.ts'
import { checkCertificates } from './doctor-certificates.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const folder = await mkdtemp(join(tmpdir(), 'mdk-certificates-'))
after(() => rm(folder, { recursive: true }))
const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
const pair = makeSelfSignedCertificate('mail.test', new Date())
await writeFile(files.cert, pair.cert)
await writeFile(files.key, pair.key)
const { expiresAtMs } = await readKeyPair(files)
const env = { MDK_TLS_CERT: files.cert, MDK_TLS_KEY: files.key }
const config = readConfig(env)

const cases: [number, string, RegExp][] = [
  [21, 'ok', /good until/],
  [20.9, 'warn', /good until/],
  [3, 'warn', /good until/],
  [2.9, 'fail', /good until/],
  [-0.1, 'fail', /expired/],
]
for (const [days, result, found] of cases) {
  test(`a certificate that has ${days} days left: ${result}`, async () => {
    const checks = await checkCertificates(config, expiresAtMs - days * DAY_MS)
    assert.deepEqual(
      checks.map((check) => [check.name, check.result]),
      [['certificate', result]],
      'of both uses, which have one pair',
    )
    assert.match(checks[0]?.found ?? '', found)
  })
}

test('a key that belongs to another certificate is told, and so is each use of a pair of its own', async () => {
  const other = join(folder, 'other.pem')
  await writeFile(other, makeSelfSignedCertificate('mail.test', new Date()).key)
  const own = readConfig({ ...env, MDK_SMTP_TLS_CERT: join(folder, 'link.pem'), MDK_SMTP_TLS_KEY: other })
  const checks = await checkCertificates(own, Date.now())
  assert.deepEqual(
    checks.map(({ name, result }) => [name, result]),
    [
      ['certificate', 'ok'],
      ['SMTP certificate', 'fail'],
    ],
  )
  const [wrong] = await checkCertificates(readConfig({ ...env, MDK_TLS_KEY: other }), Date.now())
  assert.match(wrong?.found ?? '', /is not that of the first certificate/)
})

test('nothing is checked where none is given', async () => {
  assert.deepEqual(await checkCertificates(readConfig({}), Date.now()), [])
})

test('files that are no pair are told in words that name the file', async () => {
  const broken = join(folder, 'broken.pem')
  await writeFile(broken, 'nothing')
  const folds: [typeof files, RegExp][] = [
    [{ ...files, cert: broken }, /broken\.pem has no certificate/],
    [{ ...files, key: broken }, /broken\.pem has no private key/],
    [{ ...files, key: join(folder, 'absent') }, /absent cannot be read \(ENOENT\)/],
  ]
  await writeFile(join(folder, 'malformed.pem'), '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')
  folds.push([{ ...files, cert: join(folder, 'malformed.pem') }, /malformed\.pem has a certificate that is malformed/])
  for (const [wrong, words] of folds) await assert.rejects(readKeyPair(wrong), words)
})
