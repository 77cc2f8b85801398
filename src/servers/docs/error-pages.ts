// A page for each code of the catalogue, and one that lists them. Made of what the catalogue says; knows nothing of how a
// page looks.
import { explain, pageOfProblem } from '../../access/explain-problem.ts'
import { FIELD_CODES, PROBLEM_CODES, type ProblemCode, sentenceOf } from '../../access/problem.ts'
import { errorBody, statusOf } from '../http/status-codes.ts'
import { type Guide, renderGuide } from './guides.ts'

/** By the name that stands in its address: the code. */
export function errorPages(): Guide[] {
  return PROBLEM_CODES.map((code) => renderGuide(`${code}.md`, describe(code)))
}

/** All codes by status. */
export function errorList(): Guide {
  const codes = PROBLEM_CODES.toSorted((one, other) => statusOf(one) - statusOf(other))
  const rows = codes.map((code) => `| ${statusOf(code)} | [${code}](${pageOfProblem(code)}) | ${sentenceOf(code)} |`)
  return renderGuide(
    'errors.md',
    `# Errors by code

Every error has one of these in \`code\`. [Errors](/docs/guides/errors) has their form, and what to retry.

| status | code | says |
|---|---|---|
${rows.join('\n')}
`,
  )
}

function describe(code: ProblemCode): string {
  const { means, toDo, details } = explain(code)
  const body = errorBody(code, sentenceOf(code), '0199f0a0-0000-7000-8000-000000000009', details)
  return `# ${code}

Status ${statusOf(code)}. ${means}

**What to do.** ${toDo}
${code === 'validation_error' ? fieldCodes() : ''}
**Example**

\`\`\`json
${JSON.stringify(body, null, 2)}
\`\`\`

[All codes](/docs/errors)
`
}

function fieldCodes(): string {
  const rows = Object.entries(FIELD_CODES).map(([code, says]) => `| \`${code}\` | ${says} |`)
  return `
**Codes of a field**

| code | what is wrong with the field |
|---|---|
${rows.join('\n')}
`
}
