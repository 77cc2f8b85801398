// The pages lead somewhere, and name every command and variable.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { PERMISSIONS, SCOPES } from '../src/access/permissions.ts'
import { PROBLEM_CODES } from '../src/access/problem.ts'
import { EVENT_TYPES } from '../src/events/types.ts'
import { MAILBOX_EVENT_DATA } from '../src/mailboxes/event-data.ts'
import { MESSAGE_EVENT_DATA } from '../src/messages/event-data.ts'
import { statusOf } from '../src/servers/http/status-codes.ts'
import { ATTEMPT_ERRORS } from '../src/webhooks/delivery-state.ts'

const ROOT = new URL('..', import.meta.url).pathname
const pages = await Array.fromAsync(glob(['*.md', 'docs/**/*.md', 'sdk/*.md', 'examples/*.md'], { cwd: ROOT }))
const sources = await Array.fromAsync(
  glob(['{src,test,bench,scripts,examples}/**/*.ts', 'sdk/{src,*}/*.ts', 'sdk/*.ts'], {
    cwd: ROOT,
    exclude: (path) => path.includes('node_modules'),
  }),
)
const read = (path: string) => readFile(join(ROOT, path), 'utf8')

test('every relative link of every page leads to a file', async () => {
  let links = 0
  for (const page of pages) {
    for (const [, target] of (await read(page)).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)) {
      assert(existsSync(join(ROOT, dirname(page), target as string)), `${page} → ${target}`)
      links += 1
    }
  }
  assert(links > 10)
})

/** Where a link to a heading leads, as Markdown's readers make it of the heading's words. */
function anchorsIn(markdown: string): string[] {
  const headings = markdown.replace(/^```.*?^```$/gms, '').matchAll(/^#{1,6} (.+)$/gm)
  return [...headings].map(([, words = '']) =>
    words
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

test('every file and folder that the page of the architecture names is there', async () => {
  const named = (await read('ARCHITECTURE.md')).matchAll(
    /`((?:src|test|docs|migrations|scripts|bench|sdk|examples|bin)\/[^`\s*]*)`/g,
  )
  const paths = Array.from(named, ([, path = '']) => path)
  assert(paths.length > 100)
  assert.deepEqual(
    paths.filter((path) => !existsSync(join(ROOT, path))),
    [],
  )
})

test('every link to a heading of a page leads to one', async () => {
  let links = 0
  for (const page of pages) {
    for (const [, target, anchor = ''] of (await read(page)).matchAll(
      /\]\((?!https?:|mailto:)([^)#\s]*)#([^)\s]+)\)/g,
    )) {
      const path = target ? join(dirname(page), target) : page
      assert(anchorsIn(await read(path)).includes(anchor), `${page} → ${path}#${anchor}`)
      links += 1
    }
  }
  assert(links > 20)
})

test('no two headings of a guide are alike, as each is a place that the search leads to', async () => {
  const guides = pages.filter((page) => page.startsWith('docs/guides/'))
  assert(guides.length > 10)
  for (const guide of guides) {
    const anchors = anchorsIn(await read(guide))
    assert.deepEqual(anchors, [...new Set(anchors)], guide)
  }
})

test('every rule of the specification that is cited has a heading there, and no two headings are alike', async () => {
  const anchors = anchorsIn(await read('docs/specification.md'))
  assert.deepEqual(anchors, [...new Set(anchors)])
  let citations = 0
  for (const source of sources) {
    for (const [, anchor = ''] of (await read(source)).matchAll(/specification\.md#([\p{L}\p{N}_-]+)/gu)) {
      assert(anchors.includes(anchor), `${source} → ${anchor}`)
      citations += 1
    }
  }
  assert(citations > 0)
})

test('no comment cites a page that is not in the repository', async () => {
  let citations = 0
  for (const source of sources) {
    for (const [, comment = ''] of (await read(source)).matchAll(/(?:\/\/|^\s*\/?\*)(.*)$/gm)) {
      assert.doesNotMatch(comment, /\b(?:SPEC|DECISIONS|DESIGN|PEOPLE|PARTS)\b/, source)
      for (const [page] of comment.matchAll(/[\w/-]+\.md\b/g)) {
        assert(
          ['', 'docs', 'docs/guides'].some((folder) => existsSync(join(ROOT, folder, page))),
          `${source}: ${page}`,
        )
        citations += 1
      }
    }
  }
  assert(citations > 50)
})

test('every variable that is read is in the guide of operating', async () => {
  const variables = new Set((await read('src/config.ts')).match(/MDK_[A-Z_]+(?=: )/g))
  const guide = await read('docs/operate.md')
  assert(variables.size > 30)
  for (const variable of variables) assert(guide.includes(`\`${variable}\``), variable)
})

test('the guides name no variable and no metric that is not there', async () => {
  const guides = (await Promise.all(pages.filter((page) => page.startsWith('docs/')).map(read))).join('\n')
  const config = await read('src/config.ts')
  const metrics = await read('src/servers/ops/metrics.ts')
  const named = (pattern: RegExp) => new Set(guides.match(pattern))
  for (const variable of named(/\bMDK_[A-Z_]+/g)) assert(config.includes(`${variable}:`), variable)
  for (const metric of named(/\bmdk_[a-z_]{5,}/g))
    assert(/^mdk_(live_|test_|console$|webmail$)/.test(metric) || metrics.includes(metric), metric)
})

test('the guide of errors has every code with its status, and no other', async () => {
  const rows = (await read('docs/guides/08-errors.md')).match(/^\| \d{3} .*$/gm) ?? []
  const written = rows.flatMap((row) => {
    const [, status, codes = ''] = row.split('|')
    return [...codes.replace(/\(.*\)/, '').matchAll(/`([a-z_]{8,})`/g)].map(([, code]) => `${status?.trim()} ${code}`)
  })
  assert.deepEqual(written.sort(), PROBLEM_CODES.map((code) => `${statusOf(code)} ${code}`).sort())
})

test('the specification has every code with its status, and no other', async () => {
  const rows = (await read('docs/specification.md')).match(/^\| \d{3} \| `[a-z_]+`.*$/gm) ?? []
  const written = rows.flatMap((row) => {
    const [, status = '', codes = ''] = row.split('|')
    return [...codes.matchAll(/`([a-z_]+)`/g)].map(([, code]) => `${status.trim()} ${code}`)
  })
  assert.deepEqual(written.sort(), PROBLEM_CODES.map((code) => `${statusOf(code)} ${code}`).sort())
})

test('the specification names what the data of each event holds, and no more', async () => {
  const section = (await read('docs/specification.md')).split('### Data of an event\n')[1]?.split('\n## ')[0] ?? ''
  const rows = [...section.matchAll(/^\| (.*`.*) \| `([^`]+)`.*\|$/gm)].map(([, types = '', members = '']) => ({
    types: [...types.matchAll(/`([a-z_.*]+)`/g)].map(([, type = '']) => type),
    members: members.split(' '),
  }))
  for (const [type, members] of Object.entries({ ...MESSAGE_EVENT_DATA, ...MAILBOX_EVENT_DATA })) {
    const named = rows.filter((row) => row.types.some((name) => name === type || name === type.replace(/\..*/, '.*')))
    assert.deepEqual(named.flatMap((row) => row.members).sort(), Object.keys(members).sort(), type)
  }
})

test('the specification has every scope, type of event and error of a delivery, and no other', async () => {
  const specification = await read('docs/specification.md')
  const names = (heading: string, pattern: RegExp) => {
    const [, section = ''] = specification.split(`### ${heading}\n`)
    return [...(section.split('\n#')[0] ?? '').matchAll(pattern)].map(([, name]) => name).sort()
  }
  assert.deepEqual(names('Scopes', /^\| `([a-z:]+)` \|/gm), [...SCOPES].sort())
  assert.deepEqual(names('Types of events', /`([a-z]+\.[a-z_]+)`/g), [...EVENT_TYPES].sort())
  const [failed = ''] = /Anything else fails\s+the attempt:[^.]*/.exec(specification) ?? []
  const errors = [...failed.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name)
  assert.deepEqual(errors.sort(), [...ATTEMPT_ERRORS].sort())
})

test('the specification says what each role may do, as the code decides it', async () => {
  const [, section = ''] = (await read('docs/specification.md')).split('### Roles\n')
  const rows = [...(section.split('\n#')[0] ?? '').matchAll(/^\| `(\w+)` \|.*$/gm)].map(([row]) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  const expected = Object.entries(PERMISSIONS).map(([action, permission]) => {
    const yes = 'stepUp' in permission ? 'yes, again' : 'yes'
    const { scope, owner, admin, mailboxUser } = permission
    return [`\`${action}\``, scope ? `\`${scope}\`` : '–', owner ? yes : '–', admin ? yes : '–', mailboxUser ?? '–']
  })
  assert.deepEqual(
    rows.map(([action, , ...may]) => [action, ...may]),
    expected,
  )
})

test('the guide of scaling quotes no figure that was not measured', async () => {
  const figures = (await read('docs/guides/12-scaling.md')).match(/\b\d+[.,]\d+\b/g) ?? []
  const measured = await read('docs/speed.md')
  assert(figures.length > 0)
  for (const figure of figures) assert(measured.includes(figure), figure)
})

test('the README has the two commands that set everything up, and no other', async () => {
  const commands = [...(await read('README.md')).matchAll(/^npm .*$/gm)].map(([line]) => line)
  assert.deepEqual(commands, ['npm ci && npm start', 'npm ci && npm test'])
})

test('every idempotency key that a page shows is one that the service takes', async () => {
  let keys = 0
  for (const page of pages) {
    for (const [, key = ''] of (await read(page)).matchAll(/Idempotency-Key: ([^'"`\n]+)['"`]/g)) {
      assert(key.length >= 8 && key.length <= 255, `${page}: ${key}`)
      keys += 1
    }
  }
  assert(keys > 5)
})

test('the page on security answers each of the ten risks with tests', async () => {
  const rows = (await read('SECURITY.md')).match(/^\| API\d+ .*$/gm) ?? []
  assert.deepEqual(
    rows.map((row) => Number(/API(\d+)/.exec(row)?.[1])),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  )
  for (const row of rows) assert.match(row.split('|')[3] ?? '', /\]\([\w./-]+\.test\.ts\)/, row)
})
