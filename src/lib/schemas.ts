// Shapes that several features share.
import Type from 'typebox'

export const Uuid = Type.String({ format: 'uuid' })
export const DateTime = Type.String({ format: 'date-time' })
export const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** One of these words. */
export const OneOf = <const T extends readonly string[]>(words: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...words] })

/** An object that takes no property but those listed. */
export const Closed = <P extends Type.TProperties>(properties: P, options: Type.TObjectOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

export const IdParams = <K extends string>(name: K) => Closed({ [name]: Uuid } as Record<K, typeof Uuid>)
