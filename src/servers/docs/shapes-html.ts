// Fields, examples and answers of the contract as HTML. Everything that is no Markdown of the contract is escaped.
import { escapeUTF8 } from 'entities/escape'
import { Marked } from 'marked'
import type { ApiContent, ApiDocument, ApiOperation, Parameter } from './api-document.ts'
import { type Field, fieldsOf, typeOf } from './fields.ts'

/** Nothing in a description is HTML: `<API key>` is to be read. */
const marked = new Marked({ renderer: { html: ({ text }) => escapeUTF8(text) } })
export const markdown = (text: string) => marked.parse(text, { async: false })
const inline = (text: string) => marked.parseInline(text, { async: false })

/** Taken from whoever calls, who needs to know what is required; or given, whatever may be absent. */
export type Direction = 'taken' | 'given'

export function fieldList(fields: readonly Field[], direction: Direction): string {
  const items = fields.map(({ name, type, isRequired, description, fields: inner }) => {
    const needed = direction === 'taken' && isRequired ? ' <strong>required</strong>' : ''
    const maybe = direction === 'given' && !isRequired ? ' <em>may be absent</em>' : ''
    return `<li><code>${escapeUTF8(name)}</code> <span class="type">${escapeUTF8(type)}</span>${needed}${maybe}
<div>${inline(description)}</div>${inner.length > 0 ? `\n${fieldList(inner, direction)}` : ''}</li>`
  })
  return `<ul class="fields">\n${items.join('\n')}\n</ul>`
}

/** Nothing when there are none. */
export function parameterList(
  { components: { schemas } }: ApiDocument,
  heading: string,
  parameters: readonly Parameter[],
  direction: Direction,
): string {
  if (parameters.length === 0) return ''
  const fields = parameters.map(({ name, in: place, required, description = '', schema }) => ({
    name,
    type: `${typeOf(schemas, schema)} · ${place}`,
    isRequired: required,
    description,
    fields: [],
  }))
  return `<h2 id="parameters">${heading}</h2>\n${fieldList(fields, direction)}`
}

export function contentOf({ components: { schemas } }: ApiDocument, content: ApiContent, direction: Direction): string {
  const each = Object.entries(content).map(([mediaType, { schema, example }]) => {
    const fields = fieldsOf(schemas, schema)
    const what = fields.length > 0 ? fieldList(fields, direction) : `<p>${escapeUTF8(typeOf(schemas, schema))}</p>`
    const shown = example === undefined ? '' : `\n<h3>Example</h3>\n${code(JSON.stringify(example, null, 2))}`
    return `<p><code>${mediaType}</code></p>\n${what}${shown}`
  })
  return each.join('\n')
}

export function code(text: string): string {
  return `<pre tabindex="0"><code>${escapeUTF8(text)}</code></pre>`
}

const isSuccess = ([status]: [string, unknown]) => status.startsWith('2')

export function answersOf(document: ApiDocument, heading: string, responses: ApiOperation['responses']): string {
  const { headers: known, schemas } = document.components
  const answers = Object.entries(responses).filter(isSuccess)
  const each = answers.map(([status, { description, headers = {}, content }]) => {
    const fields: Field[] = Object.keys(headers).flatMap((name) => {
      const header = known[name]
      return header
        ? [
            {
              name,
              type: typeOf(schemas, header.schema),
              isRequired: true,
              description: header.description,
              fields: [],
            },
          ]
        : []
    })
    return `<h2 id="answer-${status}">${heading} ${status}</h2>
${content ? contentOf(document, content, 'given') : markdown(description)}
${fields.length > 0 ? `<h3>Headers</h3>\n${fieldList(fields, 'given')}` : ''}`
  })
  return each.join('\n')
}

export function otherAnswersOf(heading: string, responses: ApiOperation['responses']): string {
  const others = Object.entries(responses).filter((answer) => !isSuccess(answer))
  const rows = others.map(
    ([status, { description }]) => `<tr><th scope="row">${status}</th><td>${markdown(description)}</td></tr>`,
  )
  return `<h2 id="errors">${heading}</h2>
<table class="answers">
<tr><th scope="col">Status</th><th scope="col">Meaning</th></tr>
${rows.join('\n')}
</table>`
}
