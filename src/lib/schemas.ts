// Shapes that several features share.
import type { TObjectOptions, TProperties, TSchema } from 'typebox'
import { Type } from './schema-types.ts'

export const Uuid = Type.String({ format: 'uuid' })
export const DateTime = Type.String({ format: 'date-time' })
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** The same shape, with what the contract says of it in the place where it stands. A name that the shape has there is lost. */
export const Explained = <T extends TSchema>(schema: T, description: string): T =>
  Type.With(schema, { description }) as unknown as T

/** One of these words. */
export const OneOf = <const T extends readonly string[]>(words: T) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...words] })

/** An object that takes no property but those listed. */
export const Closed = <P extends TProperties>(properties: P, options: TObjectOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

/** For `messageId`: the id of the message. */
export const IdParams = <K extends `${string}Id`>(name: K) =>
  Closed({ [name]: Explained(Uuid, `The id of the ${name.slice(0, -'Id'.length)}.`) } as Record<K, typeof Uuid>)

/** For an object that must have one of these properties or more. */
export const atLeastOneOf = (...names: string[]) => ({ anyOf: names.map((name) => ({ required: [name] })) })
