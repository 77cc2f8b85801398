// The pages of the reference: all of the contract in words, whether scripts run or not. That of an operation has a form
// that calls the service.
import { escapeUTF8 } from 'entities/escape'
import { type ApiDocument, addressOf, type Entry } from './api-document.ts'
import { fieldsOf } from './fields.ts'
import type { PageParts } from './pages.ts'
import { answersOf, code, contentOf, fieldList, markdown, otherAnswersOf, parameterList } from './shapes-html.ts'
import { tryForm } from './try-form.ts'

/** What is there, group by group. */
export function overviewPage(document: ApiDocument, entries: readonly Entry[]): PageParts {
  const groups = groupsOf(document, entries).map(
    ({ name, description, entries }) => `<h2 id="${name.toLowerCase().replaceAll(' ', '-')}">${name}</h2>
<p>${description}</p>
<ul class="operations">
${entries.map((entry) => `<li><a href="${addressOf(entry)}">${entry.summary}</a> ${callOf(entry)}</li>`).join('\n')}
</ul>`,
  )
  const error = fieldsOf(document.components.schemas, { $ref: '#/components/schemas/Error' })
  const content = `<h1>Reference</h1>
${markdown(document.info.description)}
${groups.join('\n')}
<h2 id="errors">Errors</h2>
<p>The body of every error. Each page names the codes of its operation. <a href="/docs/errors">All codes</a> have pages too,
which say what to do.</p>
${fieldList(error, 'given')}`
  return { title: 'Reference', navigation: entryLinks(document, entries), content }
}

interface FormOptions {
  /** The address of the script that runs it. */
  script: string
  /** Whether the service gives it a key. */
  givesKey: boolean
}

/** The page of one of the entries. */
export function entryPage(
  document: ApiDocument,
  entries: readonly Entry[],
  entry: Entry,
  { script, givesKey }: FormOptions,
): PageParts {
  const page = { title: entry.summary, navigation: entryLinks(document, entries, entry) }
  return entry.path === undefined
    ? { ...page, content: postedContent(document, entry) }
    : { ...page, content: operationContent(document, entry, givesKey), ...(isWithKey(entry) ? { script } : {}) }
}

/** What needs no key has an address that another operation has given, and cannot be tried without it. */
const isWithKey = ({ security }: Entry) => security.length > 0

function operationContent(document: ApiDocument, entry: Entry, givesKey: boolean): string {
  const { summary, description, parameters = [], requestBody, responses } = entry
  return `<h1>${summary}</h1>
<p>${callOf(entry)}</p>
${markdown(description)}
${entry['x-extension'] ? '<p><small>Goes beyond version 1 of the specification.</small></p>' : ''}
${isWithKey(entry) ? code(curlOf(entry)) : ''}
${parameterList(document, 'Parameters', parameters, 'taken')}
${requestBody ? `<h2 id="body">Body</h2>\n${contentOf(document, requestBody.content, 'taken')}` : ''}
${isWithKey(entry) ? tryForm(entry, givesKey) : ''}
${answersOf(document, 'Answer', responses)}
${otherAnswersOf('Errors', responses)}`
}

/** What the service posts, and what it makes of the answer. */
function postedContent(document: ApiDocument, entry: Entry): string {
  const { summary, description, parameters = [], requestBody, responses } = entry
  return `<h1>${summary}</h1>
<p>${callOf(entry)}</p>
${markdown(description)}
${parameterList(document, 'Headers', parameters, 'given')}
<h2 id="body">Body</h2>
${contentOf(document, requestBody?.content ?? {}, 'given')}
${answersOf(document, 'Your answer', responses)}
${otherAnswersOf('Other answers', responses)}`
}

/** As it is pasted into a shell, with the variables of the guides. */
function curlOf({ method, path = '', parameters = [], requestBody }: Entry): string {
  const body = requestBody?.content['application/json']?.example
  const address = path.replace(/\{(\w+)Id\}/g, (_, name: string) => `$${name.toUpperCase()}`)
  return [
    `curl -s${method === 'GET' ? '' : ` -X ${method}`} "$BASE${address}" -H "Authorization: Bearer $KEY"`,
    ...parameters.filter(({ in: place }) => place === 'header').map(({ name, example }) => `-H '${name}: ${example}'`),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`]),
  ].join(' \\\n  ')
}

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

interface Group {
  name: string
  description: string
  entries: Entry[]
}

function groupsOf({ tags }: ApiDocument, entries: readonly Entry[]): Group[] {
  const operations = tags.map(({ name, description }) => ({
    name,
    description,
    entries: entries.filter((entry) => entry.path !== undefined && entry.tags.includes(name)),
  }))
  const posted = entries.filter(({ path }) => path === undefined)
  return [
    ...operations,
    { name: 'Posted to you', description: 'What the service posts to your endpoints.', entries: posted },
  ]
}

/** The group of the current page is open. */
function entryLinks(document: ApiDocument, entries: readonly Entry[], current?: Entry): string {
  const linkTo = (entry: Entry) =>
    `<a href="${addressOf(entry)}"${entry === current ? ' aria-current="page"' : ''}>${entry.summary}</a>`
  const groups = groupsOf(document, entries).map(
    ({ name, entries }) => `<details${current && entries.includes(current) ? ' open' : ''}><summary>${name}</summary>
${entries.map(linkTo).join('\n')}
</details>`,
  )
  return `<nav aria-label="Reference" class="long">\n${groups.join('\n')}\n</nav>`
}

function callOf({ method, path }: Entry): string {
  return `<code>${method} ${path === undefined ? 'your URL' : escapeUTF8(path)}</code>`
}
