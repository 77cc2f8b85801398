// Finds passages of the guides, and operations of the reference, by words. Knows nothing of pages.
import MiniSearch from 'minisearch'
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

/** What the search knows of an operation of the API. */
export interface DescribedOperation {
  operation: string
  method: string
  /** With parameters in braces. */
  path: string
  /** Of the key; undefined where none is needed. */
  scope: string | undefined
  tag: string
  summary: string
  description: string
}

/** A passage for each operation; its address is where the reference shows it. */
export function operationPassages(operations: readonly DescribedOperation[]): Passage[] {
  return operations.map(({ operation, method, path, scope, tag, summary, description }) => ({
    address: `/docs#tag/${tag.toLowerCase()}/${method}${path}`,
    title: 'Reference',
    heading: summary,
    text: `${method} ${path} ${[operation, scope ?? []].flat().join(' ')}. ${description}`,
  }))
}
