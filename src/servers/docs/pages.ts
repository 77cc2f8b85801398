// What every page has around it, and the pages of guides and of what a search found: plain HTML that reads well on a phone,
// in light and dark, and without scripts.
import { escapeUTF8 } from 'entities/escape'
import type { Guide } from './guides.ts'
import type { Finding } from './search.ts'

export interface PageParts {
  title: string
  /** Links to the pages of its kind. */
  navigation: string
  /** What the page says. */
  content: string
  /** What was searched for. */
  query?: string
  /** The address of a script that it runs. */
  script?: string
}

/** Takes the address of the style sheet and gives what makes pages of it. */
export function pageMaker(style: string): (parts: PageParts) => string {
  return ({ title, navigation, content, query = '', script }) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}: Mail Developer API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style}">${script ? `\n<script type="module" src="${script}"></script>` : ''}
</head>
<body>
<a class="skip" href="#content">To the content</a>
<header>
<a href="/docs">Reference</a> <a href="/docs/guides/quick-start">Guides</a> <a href="/openapi.yaml">openapi.yaml</a>
<form role="search" action="/docs/search"><input type="search" name="q" value="${escapeUTF8(query)}" placeholder="Search" aria-label="Search guides and reference" required></form>
</header>
<div class="columns">
${navigation}
<main id="content" tabindex="-1">
${content}
</main>
</div>
</body>
</html>
`
}

export function guideAddress({ name }: Guide): string {
  return `/docs/guides/${name}`
}

export function guidePage(guide: Guide, guides: readonly Guide[]): PageParts {
  const next = guides[guides.indexOf(guide) + 1]
  const onward = next ? `\n<p class="next">Next: <a href="${guideAddress(next)}">${next.title}</a></p>` : ''
  return { title: guide.title, navigation: guideLinks(guides, guide), content: `${guide.html}${onward}` }
}

/** A page beside the guides. */
export function sidePage({ title, html }: Guide, guides: readonly Guide[]): PageParts {
  return { title, navigation: guideLinks(guides), content: html }
}

/** The answer to a search, which was typed by anybody. */
export function searchPage(query: string, findings: readonly Finding[], guides: readonly Guide[]): PageParts {
  const count = findings.length === 1 ? '1 place' : `${findings.length} places`
  const said = query === '' ? 'Type a word or two above.' : `${count} for “${escapeUTF8(query)}”`
  const list = findings.map(
    ({ address, title, heading, text, terms }) =>
      `<li><a href="${escapeUTF8(address)}">${marked(heading, terms)}</a> <small>${escapeUTF8(title)}</small>
<p>${marked(excerpt(text, terms), terms)}</p></li>`,
  )
  const found = list.length > 0 ? `\n<ol class="findings">\n${list.join('\n')}\n</ol>` : ''
  return { title: 'Search', navigation: guideLinks(guides), content: `<h1>Search</h1>\n<p>${said}</p>${found}`, query }
}

function guideLinks(guides: readonly Guide[], current?: Guide): string {
  const links = guides.map(
    (guide) => `<a href="${guideAddress(guide)}"${guide === current ? ' aria-current="page"' : ''}>${guide.title}</a>`,
  )
  return `<nav aria-label="Guides">\n${links.join('\n')}\n</nav>`
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
