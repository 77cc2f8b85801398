// JSON Schemas with the types of what they describe: TypeBox's builders, of which these are the ones that we use, without
// TypeBox. Its types cost nothing at run time; its code is 370 modules, an eighth of what a service takes to start.
import type TypeBox from 'typebox'
import type { TProperties, TSchema } from 'typebox'

type Builders = Pick<
  typeof TypeBox,
  | 'Array'
  | 'Boolean'
  | 'Integer'
  | 'Literal'
  | 'Null'
  | 'Object'
  | 'Optional'
  | 'Record'
  | 'String'
  | 'Union'
  | 'Unsafe'
  | 'With'
>

/** Properties that an object may lack. */
const optional = new WeakSet<object>()

/** Each gives a new schema, equal to what the builder of that name in TypeBox gives. */
export const Type = {
  Array: (items: TSchema, options?: object) => ({ type: 'array', items, ...options }),
  Boolean: (options?: object) => ({ type: 'boolean', ...options }),
  Integer: (options?: object) => ({ type: 'integer', ...options }),
  Literal: (value: string | number | boolean, options?: object) => ({ type: typeof value, const: value, ...options }),
  Null: (options?: object) => ({ type: 'null', ...options }),
  Object(properties: TProperties, options?: object) {
    const names = Object.keys(properties).filter((name) => !optional.has(properties[name] as object))
    return { type: 'object', ...(names.length > 0 ? { required: names } : {}), properties, ...options }
  },
  Optional(schema: TSchema) {
    const copy = { ...schema }
    optional.add(copy)
    return copy
  },
  /** Whatever `keys` asks of them is not looked at: every member has the shape of `values`. */
  Record: (_keys: TSchema, values: TSchema, options?: object) => ({
    type: 'object',
    patternProperties: { '^.*$': values },
    ...options,
  }),
  String: (options?: object) => ({ type: 'string', ...options }),
  Union: (anyOf: TSchema[], options?: object) => ({ anyOf, ...options }),
  Unsafe: (schema: object) => ({ ...schema }),
  /** What may be lacking may no longer be so: `Optional` goes around it. */
  With: (schema: TSchema, options: object) => ({ ...schema, ...options }),
} as unknown as Builders
