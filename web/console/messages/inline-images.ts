// The images within a message that its HTML shows, as `data:` URLs for the frame.
import type { MessageContent } from '../../../src/servers/console/message-schemas.ts'

type File = MessageContent['attachments'][number]

const TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp'])
const MOST_BYTES = 2 * 1024 * 1024
const MOST_IMAGES = 20

/** Those that are small enough to show, by each name that the HTML may have for them. Pure. */
export function namedImages(html: string, attachments: readonly File[]): Map<File, string[]> {
  const images = new Map<File, string[]>()
  for (const file of attachments) {
    const names = [file.contentId, file.id].filter((name) => name !== null).filter((name) => isNamed(html, name))
    if (images.size === MOST_IMAGES) break
    if (names.length > 0 && TYPES.has(file.mediaType.toLowerCase()) && file.sizeBytes <= MOST_BYTES)
      images.set(file, names)
  }
  return images
}

/** RFC 2392: as it is, or percent-encoded. */
const isNamed = (html: string, name: string): boolean => {
  return [name, encodeURIComponent(name)].some((spelling) => html.includes(`cid:${spelling}`))
}

/** What cannot be fetched is left out. `pathOf`: where the bytes of a file are. */
export async function fetchImages(
  images: ReadonlyMap<File, readonly string[]>,
  pathOf: (file: File) => string,
): Promise<Record<string, string>> {
  const found = [...images].map(async ([file, names]) => {
    const answer = await fetch(pathOf(file)).catch(() => undefined)
    if (!answer?.ok) return []
    const url = await dataUrl(new Blob([await answer.arrayBuffer()], { type: file.mediaType.toLowerCase() }))
    return names.map((name) => [name, url] as const)
  })
  return Object.fromEntries((await Promise.all(found)).flat())
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result as string)
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })
}
