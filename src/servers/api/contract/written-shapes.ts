// The shapes of what the service writes as it was stored, without looking: the document says them all the same.
import Type from 'typebox'
import { Closed, Nullable, OneOf, Uuid } from '../../../lib/schemas.ts'
import { DKIM_RESULTS, DMARC_POLICIES, DMARC_RESULTS, SPF_RESULTS } from '../../../mail/authenticate/authentication.ts'
import { AuthenticationSchema, type MessagePart, MimeSchema } from '../../../messages/schemas.ts'

const nullable = (name: string) => ({ anyOf: [{ $ref: `#/components/schemas/${name}` }, { type: 'null' }] })

const mimePart: Record<keyof MessagePart, Type.TSchema> = {
  partId: Type.String({ description: '`1` for the message itself, `1.2` for its second part.' }),
  contentType: Type.String(),
  parameters: Type.Record(Type.String(), Type.String()),
  disposition: Nullable(Type.String()),
  filename: Nullable(Type.String()),
  contentId: Nullable(Type.String()),
  encoding: Type.String(),
  sizeBytes: Type.Integer({ minimum: 0, description: 'Decoded. Of a multipart: of all its parts.' }),
  attachmentId: {
    ...Nullable(Uuid),
    description:
      'Null for a multipart, for text that is shown, and for files behind the first 100: they are in `/raw`.',
  },
  parts: Type.Array(Type.Unsafe({ $ref: '#/components/schemas/MimePart' })),
}

/** By the names they have in the document. */
export const WRITTEN_SHAPES = {
  MimePart: Closed(mimePart),
  Authentication: Closed({
    spf: Closed({
      result: OneOf(SPF_RESULTS),
      domain: Nullable(Type.String()),
    }),
    dkim: Closed({
      result: OneOf(DKIM_RESULTS),
      domain: Nullable(Type.String()),
      selector: Nullable(Type.String()),
    }),
    dmarc: Closed({
      result: OneOf(DMARC_RESULTS),
      domain: Nullable(Type.String()),
      policy: Nullable(OneOf(DMARC_POLICIES)),
    }),
  }),
}

/** What stands in the document where the routes have these. */
export const SHOWN_AS = new Map<unknown, Record<string, unknown>>([
  [MimeSchema, nullable('MimePart')],
  [AuthenticationSchema, nullable('Authentication')],
])
