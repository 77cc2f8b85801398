// Finds passages of the guides, and pages of the reference, by words. Knows nothing of how they look.
import MiniSearch from 'minisearch'
import { type ApiDocument, type ApiSchema, addressOf, type Entry } from './api-document.ts'
import { type Field, fieldsOf } from './fields.ts'
import type { Passage } from './guides.ts'

export interface Finding extends Passage {
  /** The words by which it was found, as they stand in it, in lower case. */
  terms: string[]
}

export type Search = (query: string) => Finding[]

const MOST_FINDINGS = 20
/** Shorter words are found as they are: almost anything begins with them or is like them. */
const SHORTEST_BEGINNING = 3
const SHORTEST_MISTYPED = 4
/** A word that is mistyped by one letter in five is still found. */
const FUZZINESS = 0.2
/** They are in almost any passage, and say nothing of what somebody looks for. */
const SILENT = new Set('a an and are can do does for how i in is it my of on or the to what with'.split(' '))

/**
 * What holds every word of the query, whole, begun or slightly mistyped, the best first; when nothing does, what holds
 * some of them.
 */
export function createSearch(passages: readonly Passage[]): Search {
  const index = new MiniSearch<Passage>({
    idField: 'address',
    fields: ['heading', 'title', 'text'],
    processTerm: (word) => (SILENT.has(word.toLowerCase()) ? null : word.toLowerCase()),
    searchOptions: {
      prefix: (word) => word.length >= SHORTEST_BEGINNING,
      fuzzy: (word) => word.length >= SHORTEST_MISTYPED && FUZZINESS,
      boost: { heading: 3, title: 2 },
    },
  })
  index.addAll(passages)
  const byAddress = new Map(passages.map((passage) => [passage.address, passage]))
  return (query) => {
    const all = index.search(query, { combineWith: 'AND' })
    const found = all.length > 0 ? all : index.search(query)
    return found.slice(0, MOST_FINDINGS).map(({ id, terms }) => ({ ...(byAddress.get(id) as Passage), terms }))
  }
}

/** A passage for each page of the reference, with the names and descriptions of all its fields. */
export function referencePassages({ components: { schemas } }: ApiDocument, entries: readonly Entry[]): Passage[] {
  return entries.map((entry) => {
    const { operationId, method, path = '', summary, description, parameters = [], requestBody, responses } = entry
    const contents = [requestBody?.content, ...Object.values(responses).map(({ content }) => content)]
    const shapes = contents.flatMap((content) => Object.values(content ?? {}).map(({ schema }) => schema))
    const isError = ({ $ref }: ApiSchema) => $ref === '#/components/schemas/Error'
    const fields = shapes.filter((shape) => !isError(shape)).flatMap((shape) => fieldsOf(schemas, shape))
    const words = [...parameters.map((each) => `${each.name}: ${each.description ?? ''}`), ...fields.map(wordsOf)]
    const text = `${method} ${path}. ${description} ${words.join(' ')}`.replace(/[`*]|\s+/g, plainly)
    return { address: addressOf(entry), title: `Reference: ${operationId}`, heading: summary, text }
  })
}

function wordsOf({ name, description, fields }: Field): string {
  return [`${name}: ${description}`, ...fields.map(wordsOf)].join(' ')
}

/** Without the marks of Markdown, on one line. */
const plainly = (marks: string) => (marks.trim() === '' ? ' ' : '')
