// Turns JSON Schema into validators of requests.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { GIVEN_AGAIN, PLUS_LOST } from '../../access/schema-faults.ts'
import { addFormats, isEmailAddress } from '../../lib/formats.ts'

/**
 * Bodies are taken as they are; of path and query, which are text by nature, whole numbers are read. A validator is made
 * when a request first needs it, in a millisecond or two: all of them together would be a tenth of a process's start.
 */
export function createValidatorCompiler(): FastifySchemaCompiler<TSchema> {
  const ajv = addFormats(
    new Ajv({
      allErrors: true,
      // An error has the schema beside it, which says what else there is.
      verbose: true,
      strict: 'log',
      // Alternatives name properties that the object around them has.
      strictRequired: false,
      removeAdditional: false,
      useDefaults: true,
      // That ours are schemas is for a test to see: the validator of schemas takes longer to make than one of requests.
      validateSchema: false,
    }),
  )
  return ({ schema, httpPart }) => {
    let validate: ValidateFunction | undefined
    const isBody = httpPart === 'body'
    const numbers = isBody ? [] : wholeNumbersOf(schema)
    const readAndValidate = (data: Record<string, unknown>) => {
      validate ??= ajv.compile(schema)
      for (const name of numbers) {
        const text = data[name]
        if (typeof text === 'string' && WHOLE_NUMBER.test(text)) data[name] = Number(text)
      }
      const valid = validate(data)
      readAndValidate.errors = isBody
        ? validate.errors
        : validate.errors?.map((error) => ({ ...error, keyword: keywordOf(error) }))
      return valid
    }
    readAndValidate.errors = undefined as ValidateFunction['errors']
    return readAndValidate
  }
}

/**
 * The query of a route as it declares it, without any other parameter; a route that declares none takes none. A filter
 * that is misspelt, or that the service does not have, would otherwise answer with everything.
 */
export function closedQuery(declared: unknown): TSchema {
  return { type: 'object', properties: {}, ...(declared as object | undefined), additionalProperties: false }
}

/** What is wrong with a parameter, where it comes of how URLs are written. */
function keywordOf({ keyword, params, data }: ErrorObject): string {
  // One that is given twice comes as a list of both, and none of them takes lists.
  if (Array.isArray(data)) return GIVEN_AGAIN
  const isAddress = keyword === 'format' && params.format === 'email'
  return isAddress && isEmailAddress(String(data).replace(/(?<=\S) (?=\S)/g, '+')) ? PLUS_LOST : keyword
}

const WHOLE_NUMBER = /^-?\d{1,15}$/

function wholeNumbersOf(schema: TSchema): string[] {
  const properties = (schema as { properties?: Record<string, { type?: string }> }).properties ?? {}
  return Object.keys(properties).filter((name) => properties[name]?.type === 'integer')
}
