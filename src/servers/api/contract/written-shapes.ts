// The shapes of what the service writes as it was stored, without looking: the document says them all the same.
import type { TSchema } from 'typebox'
import { Type } from '../../../lib/schema-types.ts'
import { Closed, Explained, Nullable, OneOf, Uuid } from '../../../lib/schemas.ts'
import { DKIM_RESULTS, DMARC_POLICIES, DMARC_RESULTS, SPF_RESULTS } from '../../../mail/authenticate/authentication.ts'
import { AuthenticationSchema, type MessagePart, MimeSchema } from '../../../messages/schemas.ts'

const nullable = (name: string, description: string) => ({
  anyOf: [{ $ref: `#/components/schemas/${name}` }, { type: 'null' }],
  description,
})

const mimePart: Record<keyof MessagePart, TSchema> = {
  partId: Type.String({ description: '`1` for the message itself, `1.2` for its second part.' }),
  contentType: Type.String({ description: 'Its type, such as `text/plain`.' }),
  parameters: Type.Record(Type.String(), Type.String(), {
    description: 'The parameters of that type, such as `charset`.',
  }),
  disposition: Explained(Nullable(Type.String()), '`inline` or `attachment`, or whatever the part says.'),
  filename: Explained(Nullable(Type.String()), 'The name of the file.'),
  contentId: Explained(Nullable(Type.String()), 'The Content-ID by which html refers to it.'),
  encoding: Type.String({ description: 'Its Content-Transfer-Encoding, such as `base64`.' }),
  sizeBytes: Type.Integer({ minimum: 0, description: 'Decoded. Of a multipart: of all its parts.' }),
  attachmentId: Explained(
    Nullable(Uuid),
    'The attachment that it is. Null for a multipart, for text that is shown, and for files behind the first 100: they ' +
      'are in `/raw`.',
  ),
  parts: Type.Array(Type.Unsafe({ $ref: '#/components/schemas/MimePart' }), { description: 'The parts within it.' }),
}

/** By the names they have in the document. */
export const WRITTEN_SHAPES = {
  MimePart: Closed(mimePart),
  Authentication: Closed({
    spf: Closed(
      {
        result: Explained(OneOf(SPF_RESULTS), 'The result (RFC 7208).'),
        domain: Explained(Nullable(Type.String()), 'The domain of the envelope sender.'),
      },
      { description: 'Whether the sending server may send for the domain of the envelope.' },
    ),
    dkim: Closed(
      {
        result: Explained(OneOf(DKIM_RESULTS), 'The best result of its signatures (RFC 6376).'),
        domain: Explained(Nullable(Type.String()), 'The domain that signed.'),
        selector: Explained(Nullable(Type.String()), 'The selector of its key.'),
      },
      { description: 'Whether a signature proves where the message comes from.' },
    ),
    dmarc: Closed(
      {
        result: Explained(OneOf(DMARC_RESULTS), 'The result (RFC 7489).'),
        domain: Explained(Nullable(Type.String()), 'The domain of the sender’s address.'),
        policy: Explained(Nullable(OneOf(DMARC_POLICIES)), 'What that domain asks to do with mail that fails.'),
      },
      { description: 'Whether either of them speaks for the sender that people see.' },
    ),
  }),
}

/** What stands in the document where the routes have these. */
export const SHOWN_AS = new Map<unknown, Record<string, unknown>>([
  [MimeSchema, nullable('MimePart', 'The tree of its MIME parts; null for a received message that could not be read.')],
  [AuthenticationSchema, nullable('Authentication', 'Whether a received message is authentic; null for sent ones.')],
])
