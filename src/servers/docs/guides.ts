// The guides as pages and as the passages that a search finds. Knows Markdown, and nothing of how a page looks.
import { readdir, readFile } from 'node:fs/promises'
import { decodeHTML } from 'entities/decode'
import { escapeUTF8 } from 'entities/escape'
import { Marked } from 'marked'
import { pageOfProblem } from '../../access/explain-problem.ts'
import { isProblemCode } from '../../access/problem.ts'

const GUIDES = new URL('../../../docs/guides/', import.meta.url)

export interface Guide {
  /** As in its address. */
  name: string
  title: string
  html: string
}

/** What lies under one heading, without its markup. */
export interface Passage {
  /** Its page and its place there. */
  address: string
  /** Of the page. */
  title: string
  heading: string
  text: string
}

/** The guides in their order: the number in front of a file's name says it. */
export async function readGuides(): Promise<Guide[]> {
  const files = (await readdir(GUIDES)).filter((name) => name.endsWith('.md')).sort()
  return Promise.all(files.map(async (file) => renderGuide(file, await readFile(new URL(file, GUIDES), 'utf8'))))
}

/** Takes `05-webhooks.md` and its text. */
export function renderGuide(file: string, markdown: string): Guide {
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? file
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      // The code of an error leads to its page; whatever else is code is shown as ever.
      codespan: ({ text }) => isProblemCode(text) && `<a href="${pageOfProblem(text)}"><code>${text}</code></a>`,
      // What is wider than the page is scrolled, by keyboard too.
      code({ text }) {
        return `<pre tabindex="0"><code>${escapeUTF8(text)}\n</code></pre>\n`
      },
    },
  })
  const html = marked.parse(markdown, { async: false })
  return { name: nameOf(file), title: title, html: withPageLinks(html) }
}

/** A passage for each heading of the first two levels. `page`: its address. */
export function passagesOf(guide: Guide, page: string): Passage[] {
  return guide.html.split(/(?=<h[12] id=)/).flatMap((part) => {
    const [, level, anchor, heading, rest] = /^<h([12]) id="([^"]*)">(.*?)<\/h[12]>(.*)$/s.exec(part) ?? []
    if (heading === undefined || rest === undefined) return []
    const address = level === '1' ? page : `${page}#${anchor}`
    return [{ address, title: guide.title, heading: textOf(heading), text: textOf(rest) }]
  })
}

/** As GitHub makes them, so that a link to a heading leads there in both places. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

/** In the repository the guides refer to each other as files, and to pages that are made of a file as that file. */
function withPageLinks(html: string): string {
  const toPages = html
    .replaceAll('href="../../openapi.yaml"', 'href="/docs"')
    .replaceAll('href="../../src/access/explain-problem.ts"', 'href="/docs/errors"')
  return toPages.replace(/href="(\d+-[a-z-]+\.md)(#[^"]*)?"/g, (_all, file: string, anchor = '') => {
    return `href="/docs/guides/${nameOf(file)}${anchor}"`
  })
}

function nameOf(file: string): string {
  return file.replace(/^\d+-|\.md$/g, '')
}

/** What somebody reads of this HTML, in one line. */
function textOf(html: string): string {
  const words = html.replace(/<\/?(?:a|code|del|em|strong)\b[^>]*>/g, '').replace(/<[^>]*>/g, ' ')
  return decodeHTML(words).replace(/\s+/g, ' ').trim()
}
