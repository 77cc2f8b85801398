// The files of a message that its HTML shows as images, by the names that it has for them. Pure.

/** A message of more is shown without the rest. */
const MOST_IMAGES = 100

interface File {
  id: string
  mediaType: string
  contentId: string | null
}

/** What `cid:` is followed by – a content id, or the id of the file – and the file. What a file is, its bytes say later. */
export function namedImages(html: string | null, files: readonly File[]): { name: string; id: string }[] {
  if (html === null) return []
  const named = files
    .filter(({ mediaType }) => /^(?:image\/|application\/octet-stream\b)/i.test(mediaType))
    .flatMap(({ id, contentId }) => [contentId, id].flatMap((name) => (name === null ? [] : { name, id })))
  return named.filter(({ name }) => isNamed(html, name)).slice(0, MOST_IMAGES)
}

/** RFC 2392: as it is, or percent-encoded. */
function isNamed(html: string, name: string): boolean {
  return [name, encodeURIComponent(name.toWellFormed())].some((spelling) => html.includes(`cid:${spelling}`))
}
