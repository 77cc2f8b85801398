// Debian's nginx with the site of examples/nginx.conf, on ports and with a certificate of a test.
import { spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after } from 'node:test'
import { programOf } from '../../scripts/install-test-packages.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { until } from './until.ts'

const EXAMPLE = new URL('../../examples/nginx.conf', import.meta.url)
const CERTIFICATE = new URL('tls/localhost', import.meta.url).pathname

export interface NginxPorts {
  http: number
  https: number
  /** Behind it, as the example names them. */
  api: number
  console: number
  webmail: number
}

/** Resolves once it listens. It ends with the tests. */
export async function startNginx(ports: NginxPorts): Promise<void> {
  const folder = await temporaryFolder('mdk-nginx-')
  const replaced: [string | RegExp, string][] = [
    [/^ +listen \[::\].*\n/gm, ''],
    ['listen 80;', `listen 127.0.0.1:${ports.http};`],
    [/listen 443/g, `listen 127.0.0.1:${ports.https}`],
    ['127.0.0.1:8080', `127.0.0.1:${ports.api}`],
    ['127.0.0.1:8081', `127.0.0.1:${ports.console}`],
    ['127.0.0.1:8082', `127.0.0.1:${ports.webmail}`],
    [/\/etc\/\S+\/fullchain\.pem/, `${CERTIFICATE}.pem`],
    [/\/etc\/\S+\/privkey\.pem/, `${CERTIFICATE}.key`],
  ]
  let site = await readFile(EXAMPLE, 'utf8')
  for (const [from, to] of replaced) {
    const next = site.replace(from, to)
    if (next === site) throw new Error(`examples/nginx.conf has no ${from}`)
    site = next
  }
  const own = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  await mkdir(join(folder, 'logs'))
  await writeFile(join(folder, 'site.conf'), site)
  const lines = [
    'daemon off;',
    'master_process off;',
    `pid ${folder}/nginx.pid;`,
    `error_log ${folder}/error.log;`,
    'events {}',
    'http {',
    'access_log off;',
    ...own.map((name) => `${name}_temp_path ${folder}/${name};`),
    `include ${folder}/site.conf;`,
    '}',
  ]
  await writeFile(join(folder, 'nginx.conf'), lines.join('\n'))
  const words = ['-p', folder, '-e', `${folder}/error.log`, '-c', `${folder}/nginx.conf`]
  const nginx = spawn(programOf('nginx'), words, { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => nginx.once('exit', () => resolve()))
  after(async () => {
    nginx.kill('SIGKILL')
    await ended
  })
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  await until('nginx listens', async () => {
    if (isOver) throw new Error(`nginx ended: ${await readFile(join(folder, 'error.log'), 'utf8')}`)
    return listens(ports.https)
  })
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
