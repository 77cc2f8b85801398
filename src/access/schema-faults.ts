// What a JSON Schema finds wrong with data, as fields that whoever sent it recognises.
import type { ErrorObject } from 'ajv'
import { type FieldFault, invalidFields, type Problem } from './problem.ts'

/**
 * Bounds the answer to a body of nonsense, which may be at fault in ten thousand places. More than can be wrong within
 * the bounds of any operation's lists: of a send's 150 addresses and 20 attachments all are reported.
 */
export const MOST_FAULTS = 1_000

/** The 400 that lists every field at fault. */
export function validationProblem(errors: readonly ErrorObject[]): Problem {
  return invalidFields(validationFaults(errors))
}

/** Every field at fault, once for each thing that is wrong with it. */
export function validationFaults(errors: readonly ErrorObject[]): FieldFault[] {
  const fields = new Map<string, FieldFault>()
  for (const error of errors.filter(saysWhatIsWrong).slice(0, MOST_FAULTS)) {
    const fault = faultOf(error)
    const key = `${fault.path}\n${fault.code}`
    if (!fields.has(key)) fields.set(key, fault)
  }
  return [...fields.values()]
}

/** Of a field that may also be null, what is wrong with the value is enough: not that it is not null either. */
function saysWhatIsWrong({ keyword, params }: ErrorObject): boolean {
  return keyword !== 'anyOf' && !(keyword === 'type' && params.type === 'null')
}

function faultOf(error: ErrorObject): FieldFault {
  const path = fieldPath(error.instancePath)
  const params = error.params as Record<string, unknown>
  switch (error.keyword) {
    case 'required':
      return { path: joined(path, params.missingProperty), code: 'required', message: 'must be given' }
    case 'additionalProperties':
      return { path: joined(path, params.additionalProperty), code: 'unknown_field', message: 'is not known here' }
    case 'enum':
      return { path, code: 'not_allowed', message: `must be one of ${(params.allowedValues as string[]).join(', ')}` }
    case 'format':
      return {
        path,
        code: `invalid_${params.format}`,
        message: FORMAT_SENTENCES[String(params.format)] ?? 'is malformed',
      }
    case 'maxLength':
      return { path, code: 'too_long', message: `must have at most ${counted(params.limit, 'character')}` }
    case 'minLength':
      return { path, code: 'too_short', message: `must have at least ${counted(params.limit, 'character')}` }
    case 'maxItems':
      return { path, code: 'too_many', message: `must have at most ${counted(params.limit, 'item')}` }
    case 'minItems':
      return { path, code: 'too_few', message: `must have at least ${counted(params.limit, 'item')}` }
    case 'minProperties':
      return { path, code: 'required', message: `must have at least ${counted(params.limit, 'field')}` }
    case 'minimum':
      return { path, code: 'too_small', message: `must be at least ${params.limit}` }
    case 'maximum':
      return { path, code: 'too_large', message: `must be at most ${params.limit}` }
    case 'type':
      return { path, code: 'wrong_type', message: `must be ${[params.type].flat().join(' or ')}` }
    default:
      return { path, code: 'invalid', message: error.message ?? 'is invalid' }
  }
}

function counted(count: unknown, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`
}

const FORMAT_SENTENCES: Record<string, string> = {
  email: 'must be an email address, without a display name',
  uuid: 'must be a UUID',
  text: 'must not contain NUL or half a surrogate pair',
  base64: 'must be base64 with its padding',
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
