// What a JSON Schema finds wrong with data, as fields that whoever sent it recognises.
import type { AnySchemaObject, ErrorObject } from 'ajv'
import { type FieldFault, invalidFields, type Problem } from './problem.ts'
import { suggestName } from './suggest-name.ts'

/**
 * Bounds the answer to a body of nonsense, which may be at fault in ten thousand places. More than can be wrong within
 * the bounds of any operation's lists: of a send's 150 addresses and 20 attachments all are reported.
 */
const MOST_FAULTS = 1_000

/** The 400 that lists every field at fault. */
export function validationProblem(errors: readonly ErrorObject[]): Problem {
  return invalidFields(validationFaults(errors))
}

/** What stands in place of a keyword where a parameter that may come once came more often. */
export const GIVEN_AGAIN = 'givenAgain'
/** And where the plus of an address in a URL was not escaped, so that it came as a blank. */
export const PLUS_LOST = 'plusLost'

/** Every field at fault, once: of several things that are wrong with one, that which comes first to whoever corrects it. */
export function validationFaults(errors: readonly ErrorObject[]): FieldFault[] {
  const fields = new Map<string, { fault: FieldFault; urgency: number }>()
  for (const error of withoutAlternatives(errors)) {
    // To look for what was meant by each of ten thousand names would take long.
    if (fields.size === MOST_FAULTS) break
    const found = { fault: faultOf(error), urgency: urgencyOf(error) }
    const known = fields.get(found.fault.path)
    if (!known || found.urgency < known.urgency) fields.set(found.fault.path, found)
  }
  return [...fields.values()].map(({ fault }) => fault)
}

/** The first of each field, as many as one answer has. */
export function onePerField(faults: readonly FieldFault[]): FieldFault[] {
  const fields = new Map<string, FieldFault>()
  for (const fault of faults) {
    if (fields.size === MOST_FAULTS) break
    if (!fields.has(fault.path)) fields.set(fault.path, fault)
  }
  return [...fields.values()]
}

/** Who gives none of the words that are allowed is told them, whatever else was given; and a number's kind before its bounds. */
function urgencyOf({ keyword }: ErrorObject): number {
  return keyword === 'enum' ? 0 : keyword === 'type' ? 1 : 2
}

/**
 * Where a value fits none of several alternatives, that is one mistake. What is wrong with it by an alternative of its own
 * type says it best; where there is none, all of them together do.
 */
function withoutAlternatives(errors: readonly ErrorObject[]): ErrorObject[] {
  const kept: ErrorObject[] = []
  for (const error of errors) {
    // Those of the alternatives come right before that of their choice.
    const found = error.keyword === 'anyOf' ? kept.splice(kept.findLastIndex((each) => !isWithin(each, error)) + 1) : []
    const isOf = (keyword: string) => (each: ErrorObject) =>
      each.keyword === keyword && each.instancePath === error.instancePath
    if (found.length === 0) kept.push(error)
    else if (found.every(isOf('type'))) kept.push({ ...error, keyword: 'type', params: { type: found.map(typeOf) } })
    else if (found.every(isOf('required'))) kept.push({ ...error, params: { missing: found.map(missingOf) } })
    else kept.push(...found.filter((each) => !isOf('type')(each)))
  }
  return kept
}

function isWithin({ schemaPath, instancePath }: ErrorObject, choice: ErrorObject): boolean {
  return schemaPath.startsWith(`${choice.schemaPath}/`) && `${instancePath}/`.startsWith(`${choice.instancePath}/`)
}

const typeOf = ({ params }: ErrorObject): string => params.type
const missingOf = ({ params }: ErrorObject): string => params.missingProperty

function faultOf(error: ErrorObject): FieldFault {
  const path = fieldPath(error.instancePath)
  const params = error.params as Record<string, unknown>
  switch (error.keyword) {
    case 'required':
      return { path: joined(path, params.missingProperty), code: 'required', message: 'must be given' }
    case 'anyOf':
      return {
        path,
        code: 'required',
        message: `must have at least one of ${(params.missing as string[]).join(', ')}`,
      }
    case 'additionalProperties':
      return unknownField(path, String(params.additionalProperty), error.parentSchema)
    case GIVEN_AGAIN:
      return { path, code: 'duplicate', message: 'must be given once' }
    case PLUS_LOST:
      return { path, code: 'invalid_email', message: 'must not have a blank; a plus is written %2B in a URL' }
    case 'enum':
      return { path, code: 'not_allowed', message: `must be one of ${(params.allowedValues as string[]).join(', ')}` }
    case 'format':
      return { path, ...(FORMATS[String(params.format)] ?? { code: 'invalid', message: 'is malformed' }) }
    case 'maxLength':
      return { path, code: 'too_long', message: `must have at most ${counted(params.limit, 'character')}` }
    case 'minLength':
      return { path, code: 'too_short', message: `must have at least ${counted(params.limit, 'character')}` }
    case 'maxItems':
      return { path, code: 'too_many', message: `must have at most ${counted(params.limit, 'item')}` }
    case 'minItems':
      return { path, code: 'too_few', message: `must have at least ${counted(params.limit, 'item')}` }
    case 'minimum':
      return { path, code: 'too_small', message: `must be at least ${params.limit}` }
    case 'maximum':
      return { path, code: 'too_large', message: `must be at most ${params.limit}` }
    case 'type': {
      const types = [params.type].flat().map((type) => TYPES[String(type)])
      return { path, code: 'wrong_type', message: `must be ${types.join(' or ')}` }
    }
    default:
      return { path, code: 'invalid', message: error.message ?? 'is invalid' }
  }
}

function unknownField(path: string, name: string, schema: AnySchemaObject | undefined): FieldFault {
  const suggestion = suggestName(name, Object.keys(schema?.properties ?? {}))
  const hint = suggestion ? `; did you mean ${suggestion.name}?` : ''
  const remark = suggestion?.remark ? ` ${suggestion.remark}` : ''
  return { path: joined(path, name), code: 'unknown_field', message: `is not known here${hint}${remark}` }
}

const TYPES: Record<string, string> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a string',
}

function counted(count: unknown, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`
}

const FORMATS: Record<string, Pick<FieldFault, 'code' | 'message'>> = {
  email: {
    code: 'invalid_email',
    message: 'must be an email address such as name@example.com, without a display name',
  },
  uuid: { code: 'invalid_uuid', message: 'must be a UUID' },
  text: { code: 'invalid_text', message: 'must not contain NUL or half a surrogate pair' },
  base64: { code: 'invalid_base64', message: 'must be base64 with its padding' },
  media_type: { code: 'invalid_media_type', message: 'must be a media type such as application/pdf' },
  sha256: { code: 'invalid_sha256', message: 'must be a SHA-256 as 64 hexadecimal digits in lower case' },
}

/** `/to/3` → `to[3]`; the body itself is ''. */
function fieldPath(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : joined(path, part)), '')
}

function joined(path: string, name: unknown): string {
  return path === '' ? String(name) : `${path}.${name}`
}
