// An archive (APPNOTE.TXT of PKWARE) of files that are read one after the other, as its reader takes it. Nothing is compressed: most
// files are already, and so its length is known before its first octet.
import type { Readable } from 'node:stream'

export interface ZippedFile {
  /** A name without folders, which no other file of the archive has. */
  name: string
  /** What its bytes come to. */
  sizeBytes: number
  at: Date
  open(): Promise<Readable>
}

export interface Zip {
  sizeBytes: number
  /**
   * Ends with an error, and so before its length, when a file cannot be opened or comes to another size than it has. Whoever
   * leaves it destroys it, which ends the file that is read.
   */
  bytes: Readable
}

const READ_BY_ALL = 0o100644

export async function zipOf(files: readonly ZippedFile[]): Promise<Zip> {
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  const bytes = zip.outputStream
  let isOpen = true
  let reading: Readable | undefined
  zip.once('error', (error) => bytes.destroy(error))
  bytes.once('close', () => {
    isOpen = false
    reading?.destroy()
  })
  for (const { name, sizeBytes, at, open } of files) {
    zip.addReadStreamLazy(name, { size: sizeBytes, compress: false, mtime: at, mode: READ_BY_ALL }, (opened) => {
      open().then(
        (file) => {
          reading = file
          file.once('error', (error) => bytes.destroy(error))
          if (isOpen) opened(null, file)
          else file.destroy()
        },
        (error: Error) => bytes.destroy(error),
      )
    })
  }
  const sizeBytes = await new Promise<number>((sized) => zip.end(sized))
  return { sizeBytes, bytes }
}
