// What a file of a message may be looked at as without being kept. Pure: by what it says of itself; what it is, its bytes say.

interface File {
  filename: string
  mediaType: string
}

export type Preview = 'image' | 'pdf' | 'text'

const IMAGES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp'])
const IMAGE_NAME = /\.(?:png|jpe?g|gif|webp|avif|bmp)$/i

const PDFS = new Set(['application/pdf', 'application/x-pdf'])
const PDF_NAME = /\.pdf$/i

/** What people read as it is, beside `text/…`. */
const TEXTS =
  /^application\/(?:json|ld\+json|xml|javascript|x-yaml|yaml|toml|sql|x-sh|x-httpd-php|[\w.-]+\+(?:json|xml))$/
const TEXT_NAME =
  /\.(?:txt|md|markdown|log|csv|tsv|json|xml|ya?ml|toml|ini|conf|sql|sh|py|rb|js|ts|tsx|jsx|css|html?|c|h|cpp|rs|go|java|eml|ics|vcf|diff|patch)$/i

/** Null: it is to be downloaded. */
export function previewOf({ filename, mediaType }: File): Preview | null {
  const type = mediaType.toLowerCase().split(';', 1)[0]?.trim() ?? ''
  const saysNothing = type === '' || type === 'application/octet-stream'
  if (IMAGES.has(type) || (saysNothing && IMAGE_NAME.test(filename))) return 'image'
  if (PDFS.has(type) || (saysNothing && PDF_NAME.test(filename))) return 'pdf'
  if (type.startsWith('text/') || TEXTS.test(type) || (saysNothing && TEXT_NAME.test(filename))) return 'text'
  return null
}
