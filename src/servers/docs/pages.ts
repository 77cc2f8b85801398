// The pages around the contract: plain HTML that reads well on a phone, in light and dark, and without scripts but for
// the reference.
import { escapeUTF8 } from 'entities/escape'
import type { Guide } from './guides.ts'
import type { Finding } from './search.ts'

export const REFERENCE_PAGE = page(
  'reference',
  `<div id="reference"></div>
<noscript><p>The reference needs JavaScript. <a href="/openapi.yaml">openapi.yaml</a> holds all of it.</p></noscript>
<script src="/docs/viewer.js"></script>
<script src="/docs/reference.js"></script>`,
)

export const REFERENCE_SCRIPT = `Scalar.createApiReference('#reference', {
  url: '/openapi.yaml',
  withDefaultFonts: false,
  hideClientButton: true,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  authentication: { preferredSecurityScheme: 'apiKey' },
})
`

export function guidePage(guide: Guide, guides: readonly Guide[]): string {
  const next = guides[guides.indexOf(guide) + 1]
  const onward = next ? `\n<p class="next">Next: <a href="/docs/guides/${next.name}">${next.title}</a></p>` : ''
  return page(guide.title, columns(guides, `${guide.html}${onward}`, guide))
}

/** A page beside the guides. */
export function sidePage({ title, html }: Guide, guides: readonly Guide[]): string {
  return page(title, columns(guides, html))
}

/** The answer to a search, which was typed by anybody. */
export function searchPage(query: string, findings: readonly Finding[], guides: readonly Guide[]): string {
  const count = findings.length === 1 ? '1 place' : `${findings.length} places`
  const said = query === '' ? 'Type a word or two above.' : `${count} for “${escapeUTF8(query)}”`
  const list = findings.map(
    ({ address, title, heading, text, terms }) =>
      `<li><a href="${escapeUTF8(address)}">${marked(heading, terms)}</a> <small>${escapeUTF8(title)}</small>
<p>${marked(excerpt(text, terms), terms)}</p></li>`,
  )
  const answer = `<h1>Search</h1>\n<p>${said}</p>\n<ol class="findings">\n${list.join('\n')}\n</ol>`
  return page('Search', columns(guides, answer), query)
}

function page(title: string, body: string, query = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}: Mail Developer API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<header>
<a href="/docs">Reference</a> <a href="/docs/guides/quick-start">Guides</a> <a href="/openapi.yaml">openapi.yaml</a>
<form role="search" action="/docs/search"><input type="search" name="q" value="${escapeUTF8(query)}" placeholder="Search" aria-label="Search guides and operations" required></form>
</header>
${body}
</body>
</html>
`
}

function columns(guides: readonly Guide[], content: string, current?: Guide): string {
  const links = guides.map(
    (guide) =>
      `<a href="/docs/guides/${guide.name}"${guide === current ? ' aria-current="page"' : ''}>${guide.title}</a>`,
  )
  return `<div class="columns">
<nav aria-label="Guides">
${links.join('\n')}
</nav>
<main>
${content}
</main>
</div>`
}

const EXCERPT_CHARACTERS = 220
const BEFORE_THE_WORD = 60

/** What stands around the first of the terms. */
function excerpt(text: string, terms: readonly string[]): string {
  const at = text.toLowerCase().search(anyOf(terms))
  const start = text.lastIndexOf(' ', Math.max(0, at - BEFORE_THE_WORD)) + 1
  const full = start + EXCERPT_CHARACTERS
  const end = full < text.length ? text.lastIndexOf(' ', full) : text.length
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`
}

function marked(text: string, terms: readonly string[]): string {
  const parts = text.split(new RegExp(`(${anyOf(terms).source})`, 'giu'))
  return parts.map((part, i) => (i % 2 === 1 ? `<mark>${escapeUTF8(part)}</mark>` : escapeUTF8(part))).join('')
}

/** Whole words. They hold neither blanks nor punctuation, but maybe symbols that mean something here. */
function anyOf(terms: readonly string[]): RegExp {
  const words = terms.map((term) => term.replace(/[$^+|]/g, '\\$&')).join('|')
  return new RegExp(words === '' ? '(?!)' : `(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`, 'u')
}

export const STYLE = `:root {
  --text: #1c1f23; --back: #ffffff; --soft: #f3f4f6; --line: #d9dce1; --link: #0b5bd3; --mark: #fff1a8;
  font: 16px/1.6 system-ui, sans-serif; color: var(--text); background: var(--back);
}
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e8eb; --back: #14171a; --soft: #1f2428; --line: #343a41; --link: #7fb2ff; --mark: #5c4d00; }
}
body { margin: 0; }
header { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; align-items: center; padding: .6rem 1rem; border-bottom: 1px solid var(--line); }
header form { margin-left: auto; flex: 0 1 16rem; }
header input { box-sizing: border-box; width: 100%; font: inherit; padding: .2rem .6rem; color: inherit; background: var(--soft); border: 1px solid var(--line); border-radius: 6px; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.columns { display: flex; max-width: 70rem; margin: 0 auto; }
nav { position: sticky; top: 0; align-self: flex-start; flex: 0 0 13rem; padding: 1.5rem 1rem; display: flex; flex-direction: column; gap: .4rem; }
nav a[aria-current] { font-weight: 600; color: var(--text); }
main { flex: 1; min-width: 0; padding: .5rem 1.5rem 4rem; overflow-wrap: break-word; }
pre { background: var(--soft); padding: .9rem 1rem; border-radius: 6px; overflow-x: auto; }
code { font: .9em/1.5 ui-monospace, monospace; }
:not(pre) > code { background: var(--soft); padding: .1em .3em; border-radius: 4px; overflow-wrap: anywhere; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: .35rem .6rem; text-align: left; vertical-align: top; }
mark { color: inherit; background: var(--mark); border-radius: 2px; }
.findings { padding-left: 1.2rem; }
.findings p { margin: .1rem 0 1rem; }
.next { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1rem; }
@media (max-width: 45rem) {
  header form { flex: 1 1 100%; }
  .columns { flex-direction: column; }
  nav { position: static; align-self: auto; flex: none; flex-direction: row; flex-wrap: wrap; gap: .2rem 1rem; padding: 1rem; border-bottom: 1px solid var(--line); }
  main { padding: .5rem 1rem 3rem; }
}
`
