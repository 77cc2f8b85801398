// What the guide of webhooks shows in each language, taken from the page and held against the published test vectors.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { skipWithout } from '../../scripts/install-test-packages.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { codeBlocks } from './guide.ts'

interface Vector {
  name: string
  expect: string
  secret: string
  now: number
  headers: Record<string, string>
  body: string
}

const folder = await temporaryFolder('snippets-')
after(() => rm(folder, { recursive: true, force: true }))
const vectorFile = new URL('../../sdk/test-vectors.json', import.meta.url).pathname
const { vectors } = JSON.parse(await readFile(vectorFile, 'utf8')) as { vectors: Vector[] }
const blocks = await codeBlocks('05-webhooks.md')

/** A snippet looks at one signature, and leaves parsing to whoever calls it. */
function expected({ expect, name }: Vector): boolean {
  return (expect === 'valid' && name !== 'after a rotation, with the old secret') || expect === 'invalid_json'
}

function snippet(language: string, holds = ''): string {
  const found = blocks.filter((block) => block.language === language && block.code.includes(holds))
  assert.equal(found.length, 1, `the guide has one snippet of ${language}`)
  return found[0]?.code as string
}

/** What Go compiles goes where the rest goes. */
const GO = { GOCACHE: join(folder, 'go-cache'), GOPATH: join(folder, 'go'), GO111MODULE: 'off' }

async function run(command: string, args: string[], env: Record<string, string> = {}) {
  const child = spawn(command, args, { cwd: folder, env: { ...process.env, ...GO, ...env } })
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { status: await ended, stdout, stderr }
}

/** Writes the snippet and what calls it for every vector; that prints a line of JSON with all verdicts. */
async function verdicts(file: string, program: string, command: string, ...args: string[]): Promise<unknown> {
  await writeFile(join(folder, file), program)
  const { status, stdout, stderr } = await run(command, [...args, file, vectorFile])
  assert.equal(status, 0, stderr)
  return JSON.parse(stdout)
}

const all = vectors.map(expected)
assert(all.includes(true) && all.includes(false))

test('Node', async () => {
  const caller = `
import { readFileSync } from 'node:fs'
const lower = (headers) => Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
const { vectors } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
console.log(JSON.stringify(vectors.map((v) => isAuthentic(lower(v.headers), Buffer.from(v.body), v.secret, v.now))))`
  assert.deepEqual(await verdicts('verify.mjs', snippet('js') + caller, process.execPath), all)
})

test('Python', { skip: skipWithout('python3') }, async () => {
  const caller = `
import json, sys
vectors = json.load(open(sys.argv[1]))["vectors"]
print(json.dumps([is_authentic(v["headers"], v["body"].encode(), v["secret"], v["now"]) for v in vectors]))`
  assert.deepEqual(await verdicts('verify.py', snippet('python') + caller, 'python3'), all)
})

test('PHP', { skip: skipWithout('php-cli') }, async () => {
  const caller = `
$verdict = fn ($v) => isAuthentic(array_change_key_case($v['headers']), $v['body'], $v['secret'], $v['now']);
echo json_encode(array_map($verdict, json_decode(file_get_contents($argv[1]), true)['vectors']));`
  assert.deepEqual(await verdicts('verify.php', `<?php\n${snippet('php')}${caller}`, 'php'), all)
})

test('shell', async () => {
  await writeFile(join(folder, 'verify.sh'), snippet('sh', 'openssl'))
  await Promise.all(
    vectors.map(async ({ name, headers, body, secret, now }, i) => {
      await writeFile(join(folder, `body-${i}`), body)
      const { status } = await run('sh', ['verify.sh', `body-${i}`], {
        ID: headers['Service-Webhook-Id'] ?? '',
        TIMESTAMP: headers['Service-Webhook-Timestamp'] ?? '',
        SIGNATURE: headers['Service-Webhook-Signature'] ?? '',
        SECRET: secret,
        NOW: String(now),
      })
      assert.equal(status === 0, all[i], name)
    }),
  )
})

test('Go', { skip: skipWithout('golang-go') }, async () => {
  const caller = `package main

import ("encoding/json"; "net/http"; "os"; "time")

func main() {
	text, _ := os.ReadFile(os.Args[1])
	var file struct { Vectors []struct { Secret, Body string; Now int64; Headers map[string]string } }
	json.Unmarshal(text, &file)
	verdicts := []bool{}
	for _, v := range file.Vectors {
		header := http.Header{}
		for name, value := range v.Headers { header.Set(name, value) }
		verdicts = append(verdicts, IsAuthentic(header, []byte(v.Body), v.Secret, time.Unix(v.Now, 0)))
	}
	json.NewEncoder(os.Stdout).Encode(verdicts)
}
`
  await writeFile(join(folder, 'main.go'), caller)
  const program = snippet('go').replace('package webhooks', 'package main')
  assert.deepEqual(await verdicts('verify.go', program, 'go', 'run', 'main.go'), all)
})
