// Reads JSON that a stranger wrote. Knows nothing of what it says. Beyond RFC 8259 it must be I-JSON (RFC 7493): UTF-8,
// and each member of an object once, because two readers may differ in which of two they believe.
import { isUtf8 } from 'node:buffer'
import { type FieldCode, invalidFields, type Problem, problem } from '../../access/problem.ts'

/** No operation takes a fiftieth of it. Each value may come to be a fault of its own in the answer. */
const MOST_VALUES = 10_000
/** No operation takes a quarter of it. */
const MOST_DEPTH = 16

/** @throws Problem invalid_json, which says where as far as it can; validation_error for more values, or deeper ones, than any operation takes */
export function readJson(body: Buffer): unknown {
  if (body.length === 0) throw problem('invalid_json', { message: 'The request body is empty.' })
  if (!isUtf8(body)) throw problem('invalid_json', { message: 'The request body is not UTF-8.' })
  const text = body.toString('utf8').replace(/^\uFEFF/, '')
  const members = surveyJson(text)
  const value = parse(text)
  if (membersOf(value) !== members) {
    throw problem('invalid_json', { message: 'An object in the request body has two members of the same name.' })
  }
  return value
}

/**
 * Looks over JSON before memory is spent on its values: gives the number of members in all its objects. Of what is no
 * JSON it gives something.
 */
function surveyJson(text: string): number {
  let members = 0
  let values = 1
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '"':
        at = endOfString(text, at)
        break
      case ':':
        members += 1
        break
      case ',':
        values += 1
        break
      case '[':
      case '{':
        values += 1
        depth += 1
        break
      case ']':
      case '}':
        depth -= 1
    }
    if (depth > MOST_DEPTH) throw tooMuch('too_deep', `must not nest deeper than ${MOST_DEPTH} levels`)
    if (values > MOST_VALUES) throw tooMuch('too_many', `must not have more than ${MOST_VALUES} values`)
  }
  return members
}

/** The place of the quote that ends the string beginning here; the text's end when there is none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end
    while (text[before - 1] === '\\') before -= 1
    if ((end - before) % 2 === 0) return end
  }
  return text.length
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const where = placeOf((error as Error).message)
    throw problem('invalid_json', where ? { message: `The request body is not valid JSON: ${where}.` } : {})
  }
}

/** Where JSON is broken, as far as V8 says it. */
function placeOf(message: string): string | undefined {
  if (message === 'Unexpected end of JSON input') return 'it ends too soon'
  const [, line, column] = /\(line (\d+) column (\d+)\)/.exec(message) ?? []
  return line && `look at line ${line}, column ${column}`
}

function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const own = Array.isArray(value) ? 0 : Object.keys(value).length
  return Object.values(value).reduce<number>((sum, each) => sum + membersOf(each), own)
}

function tooMuch(code: FieldCode, message: string): Problem {
  return invalidFields([{ path: '', code, message }])
}
