import assert from 'node:assert/strict'
import { test } from 'node:test'
import { passagesOf, renderGuide } from './guides.ts'

const guide = renderGuide(
  '05-web-hooks.md',
  `# Web hooks

Before & after \`<b>\`.

## Verify \`x\`, every time

See [sending](02-sending.md), [there](02-sending.md#the-same-request-again), [here](#web-hooks) and the
[reference](../../openapi.yaml).

### Smaller

Belongs to the heading above.
`,
)

test('a guide is named after its file and titled by its first heading', () => {
  assert.equal(guide.name, 'web-hooks')
  assert.equal(guide.title, 'Web hooks')
})

test('links between files become links between pages, with their places', () => {
  const targets = [...guide.html.matchAll(/href="([^"]+)"/g)].map(([, target]) => target)
  assert.deepEqual(targets, [
    '/docs/guides/sending',
    '/docs/guides/sending#the-same-request-again',
    '#web-hooks',
    '/docs',
  ])
})

test('each passage has its address, and its text without markup', () => {
  assert.deepEqual(passagesOf(guide, '/docs/guides/web-hooks'), [
    { address: '/docs/guides/web-hooks', title: 'Web hooks', heading: 'Web hooks', text: 'Before & after <b>.' },
    {
      address: '/docs/guides/web-hooks#verify-x-every-time',
      title: 'Web hooks',
      heading: 'Verify x, every time',
      text: 'See sending, there, here and the reference. Smaller Belongs to the heading above.',
    },
  ])
})
