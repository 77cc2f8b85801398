// What kind of image some octets are, by how they begin: a name or a header may say anything. Pure. SVG is none: it is a
// document, with links and scripts.

/** Octets by which all of them can be told. */
const IMAGE_TYPE_WITHIN = 64

/** `image/png`, of a kind that every browser shows; undefined when it is none of those. */
export function imageTypeOf(beginning: Uint8Array): string | undefined {
  const text = Buffer.from(
    beginning.buffer,
    beginning.byteOffset,
    Math.min(beginning.length, IMAGE_TYPE_WITHIN),
  ).toString('latin1')
  return SIGNATURES.find(([, signature]) => signature.test(text))?.[0]
}

const SIGNATURES: readonly (readonly [type: string, signature: RegExp])[] = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is how they begin.
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF.{4}WEBP/s],
  // Of the ISO base media file format, by its major brand or one of those it names as compatible.
  ['image/avif', /^.{4}ftyp(?:avif|avis|(?:mif1|msf1|miaf).{4}(?:.{4}){0,10}?(?:avif|avis))/s],
  // With a header of one of the sizes that there are.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is how they begin.
  ['image/bmp', /^BM.{12}[\x0c\x28\x34\x38\x40\x6c\x7c]\x00\x00\x00/s],
]
