// Names for the files of a message in an archive that somebody unpacks, whatever the sender has called them. Pure.

const MOST_BYTES = 200
/** Of MS-DOS: Windows has devices by these names, in every folder. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i

/** One for each, in the same order, no two of which are the same where case and accents are spelt otherwise. */
export function namesInArchive(filenames: readonly string[]): string[] {
  const taken = new Set<string>()
  return filenames.map((filename) => {
    const safe = safeName(filename)
    let name = safe
    for (let n = 2; taken.has(keyOf(name)); n++) name = numbered(safe, n)
    taken.add(keyOf(name))
    return name
  })
}

const keyOf = (name: string) => name.normalize('NFKD').toLowerCase()

/** Without folders, and without what is not seen or means something to a shell or a file system. */
function safeName(filename: string): string {
  const seen = filename
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/\p{C}/gu, '')
  const last = seen.split(/[/\\]/).findLast((part) => part.trim() !== '') ?? ''
  const plain = last
    .replace(/[<>:"|?*]/g, '_')
    .replace(/^[\s.]+|[\s.]+$/gu, '')
    .replace(DEVICE, '_$&')
  return shortened(plain === '' ? 'file' : plain, '')
}

/** `a (2).txt` */
function numbered(name: string, n: number): string {
  return shortened(name, ` (${n})`)
}

/** With what is added before its extension, no longer than file systems take. */
function shortened(name: string, added: string): string {
  const [, base = '', extension = ''] = /^(.+?)(\.[\p{L}\p{N}]{1,10}(?:\.[\p{L}\p{N}]{1,4})?)?$/su.exec(name) ?? []
  let kept = base
  while (Buffer.byteLength(kept + added + extension) > MOST_BYTES) kept = [...kept].slice(0, -1).join('')
  return `${kept}${added}${extension}`
}
