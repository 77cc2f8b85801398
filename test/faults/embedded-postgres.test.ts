// The embedded PostgreSQL: started by whoever needs it, shared, never pulled away, back after every kill.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmod, chown, mkdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import pg from 'pg'
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from '../../src/lib/embedded-postgres.ts'
import { copyFolder } from '../support/database.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

const isRoot = process.getuid?.() === 0
const quiet = { info: () => {}, error: () => {} }

interface Line {
  url?: string
  info?: string
  error?: string
  failed?: string
}

async function dataFolder(): Promise<string> {
  const folder = await temporaryFolder('mdk-pg-')
  after(async () => {
    // Where root's data had to go elsewhere, it goes too.
    const data = await realpath(join(folder, 'postgres')).catch(() => folder)
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    if (!data.startsWith(folder)) await rm(join(data, '..'), { recursive: true, force: true })
  })
  return folder
}

/** With data in it, made before: making them takes longer than all else. */
async function madeFolder(): Promise<string> {
  const folder = await dataFolder()
  await copyFolder(await made, folder)
  return folder
}

const made = dataFolder().then(async (folder) => {
  await (await start({ dataDir: folder, hold: 'service', log: quiet })).stop()
  return folder
})

function startHolder(dataDir: string, hold: 'service' | 'command') {
  const script = new URL('../support/embedded-process.ts', import.meta.url).pathname
  const child: ChildProcess = spawn(process.execPath, [script, dataDir, hold], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines: Line[] = []
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => lines.push(JSON.parse(line)))
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  after(() => child.kill('SIGKILL'))
  return {
    child,
    lines,
    ready: until('the holder is ready', () => {
      const failed = lines.find((line) => line.failed)
      if (failed) throw new Error(failed.failed)
      return lines.find((line) => line.url)?.url
    }),
    async letGo() {
      child.stdin?.write('stop\n')
      return exited
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

const serverPid = async (dataDir: string) =>
  Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8').catch(() => '0')).split('\n')[0])

async function ask(url: string, text: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return Object.values((await client.query(text)).rows[0] ?? {})[0]
  } finally {
    await client.end()
  }
}

/** Stopped at the end, whatever becomes of the test: it would be started again for ever. */
async function start(options: EmbeddedPostgresOptions) {
  const server = await startEmbeddedPostgres(options)
  after(() => server.stop())
  return server
}

test('it is made, stopped, started again with its data, durable, and reachable by socket alone', async () => {
  const dataDir = await dataFolder()
  const first = await start({ dataDir, hold: 'service', log: quiet })
  await ask(first.url, 'create table kept as select 42 as answer')
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes']) {
    assert.equal(await ask(first.url, `show ${setting}`), 'on', setting)
  }
  assert.equal(await ask(first.url, 'show listen_addresses'), '')
  await first.stop()
  assert.equal(await serverPid(dataDir), 0)
  const second = await start({ dataDir, hold: 'service', log: quiet })
  assert.equal(await ask(second.url, 'select answer from kept'), 42)
  assert.equal(second.url, first.url)
  await second.stop()
})

test('processes that start at once share one server, and the first to leave does not pull it away', async () => {
  const dataDir = await dataFolder()
  const holders = [1, 2, 3].map(() => startHolder(dataDir, 'command'))
  const urls = await Promise.all(holders.map((holder) => holder.ready))
  const pid = await serverPid(dataDir)
  for (const holder of holders.slice(0, 2)) {
    assert.equal(await holder.letGo(), 0)
    assert.equal(await ask(urls[0] as string, 'select 1'), 1)
    assert.equal(await serverPid(dataDir), pid)
  }
  assert.equal(await holders[2]?.letGo(), 0)
  assert.equal(await serverPid(dataDir), 0, 'the last one stops it')
})

test('processes that come and go all the time never find it gone', async () => {
  const dataDir = await madeFolder()
  const visitor = async () => {
    for (let i = 0; i < 5; i++) {
      const server = await start({ dataDir, hold: 'command', log: quiet })
      assert.equal(await ask(server.url, 'select 1'), 1)
      await server.stop()
    }
  }
  await Promise.all([visitor(), visitor(), visitor()])
  assert.equal(await serverPid(dataDir), 0)
})

test('a server that another stops before it is joined is started again', async () => {
  const dataDir = await madeFolder()
  const starting = start({ dataDir, hold: 'command', log: quiet })
  const pid = await until('a server starts', async () => (await serverPid(dataDir)) || undefined)
  process.kill(pid, 'SIGINT')
  const server = await starting
  assert.notEqual(await serverPid(dataDir), pid)
  assert.equal(await ask(server.url, 'select 1'), 1)
  await server.stop()
})

test('after kill -9 of the service the next start has the data', async () => {
  const dataDir = await madeFolder()
  const first = startHolder(dataDir, 'service')
  await ask(await first.ready, 'create table kept as select 42 as answer')
  await first.kill()
  const second = startHolder(dataDir, 'service')
  assert.equal(await ask(await second.ready, 'select answer from kept'), 42)
  assert.equal(await second.letGo(), 0)
})

test('a killed server is reported and started again, for the service and for who shares it', async () => {
  const dataDir = await madeFolder()
  const holder = startHolder(dataDir, 'service')
  const url = await holder.ready
  const guest = startHolder(dataDir, 'command')
  await guest.ready
  process.kill(await serverPid(dataDir), 'SIGKILL')
  for (const each of [holder, guest]) {
    await until('it was reported', () => each.lines.some((line) => line.error?.includes('went away')))
    await until('it is back', () => each.lines.some((line) => line.info?.includes('is back')))
  }
  assert.equal(await ask(url, 'select 1'), 1)
  assert.equal(await guest.letGo(), 0)
  assert.equal(await ask(url, 'select 1'), 1)
  assert.equal(await holder.letGo(), 0)
})

test('of two services one starts the server: the other may leave it, and starts its own when it goes', async () => {
  const dataDir = await madeFolder()
  const first = startHolder(dataDir, 'service')
  const url = await first.ready
  const pid = await serverPid(dataDir)
  const guest = startHolder(dataDir, 'service')
  await guest.ready
  assert.equal(await guest.letGo(), 0)
  assert.equal(await ask(url, 'select 1'), 1)
  assert.equal(await serverPid(dataDir), pid, 'it is the same server')

  const heir = startHolder(dataDir, 'service')
  await heir.ready
  assert.equal(await first.letGo(), 0)
  await until('the other has one of its own', () => heir.lines.some((line) => line.info?.includes('is back')))
  assert.notEqual(await serverPid(dataDir), pid)
  assert.equal(await ask(url, 'select 1'), 1)
  assert.equal(await heir.letGo(), 0)
  assert.deepEqual(
    first.lines.filter((line) => line.error),
    [],
  )
})

test('a stop in the middle of a restart leaves no server behind', async () => {
  const dataDir = await madeFolder()
  const errors: string[] = []
  const log = { info: () => {}, error: (message: string) => void errors.push(message) }
  const server = await start({ dataDir, hold: 'command', log })
  process.kill(await serverPid(dataDir), 'SIGKILL')
  await until('the loss is noticed', () => errors.some((message) => message.includes('went away')))
  await server.stop()
  // One that came up after all would still be held by this process, and stay when the next one leaves.
  const next = startHolder(dataDir, 'command')
  await next.ready
  assert.equal(await next.letGo(), 0)
  assert.equal(await serverPid(dataDir), 0)
})

test('a lock file that names a dead server that nobody has reaped yet is waited out, not removed', async () => {
  const dataDir = await madeFolder()
  const data = join(dataDir, 'postgres')
  const { uid, gid } = await stat(data)
  // A zombie: dead, and there until its parent asks for it. It dies while the parent waits for a line, and asks for nobody.
  const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; read line; wait; read line'], {
    ...(isRoot ? { uid, gid } : {}),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  after(() => parent.kill())
  const zombie = Number(await new Promise((resolve) => parent.stdout.once('data', resolve)))
  const state = (pid?: number) => spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout
  await until('its parent waits', () => state(parent.pid).startsWith('S'))
  process.kill(zombie, 'SIGKILL')
  await until('it is a zombie', () => state(zombie).startsWith('Z'))
  const lock = join(data, 'postmaster.pid')
  await writeFile(lock, `${zombie}\n${data}\n1700000000\n5432\n${data}\n\n`, { mode: 0o600 })
  if (isRoot) await chown(lock, uid, gid)

  const starting = start({ dataDir, hold: 'service', log: quiet })
  await until('PostgreSQL has refused once', async () =>
    (await readFile(join(dataDir, 'postgres.log'), 'utf8')).includes('lock file "postmaster.pid" already exists'),
  )
  assert.equal(await serverPid(dataDir), zombie)
  parent.stdin.write('\n')
  const server = await starting
  assert.equal(await ask(server.url, 'select 1'), 1)
  await server.stop()
})

test('a server that cannot start says why at once, in a line', async () => {
  const dataDir = await madeFolder()
  const settings = { shared_buffers: 'nonsense' }
  const began = performance.now()
  await assert.rejects(startEmbeddedPostgres({ dataDir, hold: 'service', log: quiet, settings }), {
    message: 'the embedded PostgreSQL does not start: invalid value for parameter "shared_buffers": "nonsense"',
  })
  assert(performance.now() - began < 14_000, 'it is not tried again and again')
})

test('a data folder whose path is too long for a socket works', async () => {
  const dataDir = join(await dataFolder(), 'x'.repeat(60), 'y'.repeat(60))
  const server = await start({ dataDir, hold: 'service', log: quiet })
  const socketFolder = new pg.Client({ connectionString: server.url }).host
  after(() => rm(socketFolder, { recursive: true }))
  assert.doesNotMatch(socketFolder, /xxx/)
  assert.equal(await ask(server.url, 'select 1'), 1)
  await server.stop()
})

test('what a crash in the middle of making the data left behind is no hindrance', async () => {
  const dataDir = await dataFolder()
  await mkdir(join(dataDir, 'postgres-unfinished-abc/base'), { recursive: true })
  const server = await start({ dataDir, hold: 'service', log: quiet })
  assert.equal(await ask(server.url, 'select 1'), 1)
  await server.stop()
})

test('a folder that holds something else is reported in a line', async () => {
  const dataDir = await dataFolder()
  await mkdir(join(dataDir, 'postgres'))
  await assert.rejects(startEmbeddedPostgres({ dataDir, hold: 'service', log: quiet }), (error: Error) => {
    assert.match(error.message, /is not a PostgreSQL data directory/)
    assert.doesNotMatch(error.message, /\n/)
    return true
  })
})

// An ordinary user runs the server as itself: there is no second user to keep out or to make way for.
if (isRoot) {
  test('as root it runs as another user, also below a folder that only root may enter', async () => {
    const dataDir = await dataFolder()
    await chmod(dataDir, 0o700)
    const server = await start({ dataDir: join(dataDir, 'inner'), hold: 'service', log: quiet })
    after(() => rm(join(dataDir, 'inner'), { recursive: true, force: true }))
    const data = await realpath(join(dataDir, 'inner/postgres'))
    const home = join(data, '..')
    after(() => rm(home, { recursive: true, force: true }))
    assert(!data.startsWith(dataDir))
    assert.notEqual((await stat(data)).uid, 0)
    await server.stop()
    const again = await start({ dataDir: join(dataDir, 'inner'), hold: 'service', log: quiet })
    assert.equal(again.url, server.url)
    await again.stop()
  })

  test('another local user is not let in: not by the folder, and by PostgreSQL not where the folder lets pass', async () => {
    const dataDir = await dataFolder()
    const server = await start({ dataDir, hold: 'service', log: quiet })
    const owner = await stat(join(dataDir, 'postgres'))
    assert.equal((await stat(join(dataDir, 'postgres.log'))).uid, owner.uid)
    // It becomes the other user when it has read all that it runs, which may lie where only root may enter.
    const script = `import pg from ${JSON.stringify(import.meta.resolve('pg'))}
      const client = new pg.Client({ connectionString: ${JSON.stringify(server.url)} })
      const uid = Number(process.argv[1])
      process.setgroups([])
      process.setgid(uid)
      process.setuid(uid)
      await client.connect().then(() => process.exit(0), (error) => { console.log(error.code); process.exit(7) })`
    for (const [uid, code] of [
      [65_533, 'EACCES'],
      [owner.uid, '28000'],
    ] as const) {
      const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script, String(uid)], {
        encoding: 'utf8',
      })
      assert.deepEqual([status, stdout.trim()], [7, code])
    }
    await server.stop()
  })
}
