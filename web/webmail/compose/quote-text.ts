// What is quoted, as text and as HTML that is made of text alone. Pure.
import type { Message, Person } from '../message/shapes.ts'

const NAMED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export const escaped = (text: string): string => text.replace(/[&<>"]/g, (one) => NAMED[one] ?? one)

/** Of a message that has no HTML. */
export const textAsHtml = (text: string): string =>
  `<div>${escaped(text.replace(/\r\n?/g, '\n').trimEnd()).replaceAll('\n', '<br>')}</div>`

/** Each line behind `> `, as mail programs know it. */
export const quotedText = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .trimEnd()
    .split('\n')
    .map((line) => (line.startsWith('>') ? `>${line}` : line === '' ? '>' : `> ${line}`))
    .join('\n')

/** What stood at the head of a message that is forwarded. `date`: as it is said. */
export function headAsHtml({ from, to, cc, subject }: Message, date: string): string {
  const rows: [string, string][] = [
    ['From', peopleAsText(from ? [from] : [])],
    ['Date', date],
    ['Subject', subject],
    ['To', peopleAsText(to)],
    ['Cc', peopleAsText(cc)],
  ]
  const lines = rows.filter(([, words]) => words !== '').map(([name, words]) => `<b>${name}:</b> ${escaped(words)}`)
  return `<div>${lines.join('<br>')}</div><br>`
}

const peopleAsText = (people: readonly Person[]): string =>
  people.map(({ name, address }) => (name ? `${name} <${address}>` : address)).join(', ')
