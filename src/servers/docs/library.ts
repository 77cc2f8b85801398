// All that there is to read, by address. Each page is made when it is first asked for, and kept.
import { readFile } from 'node:fs/promises'
import { once } from '../../lib/once.ts'
import { type Content, createContent } from '../http/content.ts'
import { type ApiDocument, addressOf, entriesOf } from './api-document.ts'
import { errorList, errorPages } from './error-pages.ts'
import { type Guide, passagesOf, readGuides } from './guides.ts'
import { guideAddress, guidePage, type PageParts, pageMaker, searchPage, sidePage } from './pages.ts'
import { entryPage, overviewPage } from './reference-pages.ts'
import { createSearch, referencePassages } from './search.ts'

const ASSETS = new URL('assets/', import.meta.url)

export interface Library {
  /** The page at an address; undefined when there is none. */
  page(address: string): Promise<Page | undefined>
  /** What a search for this finds, as a page. */
  search(query: string): string
  /** By their names, which change whenever they do. */
  assets: ReadonlyMap<string, Content>
}

export interface Page {
  content: Content
  /** Whether it runs the script of the form. */
  hasScript: boolean
}

/** `givesKey`: whether the service gives the form of the reference a key. */
export async function openLibrary(document: ApiDocument, givesKey: boolean): Promise<Library> {
  const [guides, style, script] = await Promise.all([
    readGuides(),
    readAsset('style.css', 'text/css; charset=utf-8'),
    readAsset('try-it.js', 'text/javascript; charset=utf-8'),
  ])
  const entries = entriesOf(document)
  const errors = errorPages()
  const makePage = pageMaker(style.address)
  const options = { script: script.address, givesKey }
  const pages = new Map(
    [
      { address: '/docs', parts: () => overviewPage(document, entries) },
      ...entries.map((entry) => ({
        address: addressOf(entry),
        parts: () => entryPage(document, entries, entry, options),
      })),
      ...guides.map((guide) => ({ address: guideAddress(guide), parts: () => guidePage(guide, guides) })),
      ...errors.map((error) => ({ address: errorAddress(error), parts: () => sidePage(error, guides) })),
      { address: '/docs/errors', parts: () => sidePage(errorList(), guides) },
    ].map(({ address, parts }) => [address, once(async () => finished(parts()))]),
  )
  const find = createSearch([
    ...guides.flatMap((guide) => passagesOf(guide, guideAddress(guide))),
    ...errors.flatMap((error) => passagesOf(error, errorAddress(error))),
    ...referencePassages(document, entries),
  ])

  function finished(parts: PageParts): Page {
    return {
      content: createContent('text/html; charset=utf-8', makePage(parts)),
      hasScript: parts.script !== undefined,
    }
  }

  return {
    page: async (address) => pages.get(address)?.(),
    search: (query) => makePage(searchPage(query, find(query), guides)),
    assets: new Map([style, script].map(({ name, content }) => [name, content])),
  }
}

const errorAddress = ({ name }: Guide) => `/docs/errors/${name}`

async function readAsset(file: string, type: string) {
  const content = createContent(type, await readFile(new URL(file, ASSETS), 'utf8'))
  const name = file.replace('.', `.${content.hash}.`)
  return { name, address: `/docs/assets/${name}`, content }
}
