// Files on their way to the server: each with how far it is, and what keeps it from getting there. Several at once.
import { signal } from '@preact/signals'
import type { DraftAttachment } from '../../../src/servers/webmail/draft-schemas.ts'
import type { BegunUpload, NewUpload } from '../../../src/servers/webmail/upload-schemas.ts'
import { bytesInWords } from '../../ui/bytes-in-words.ts'
import { Refusal, send } from '../../ui/request.ts'
import { digestOf } from './digest.ts'
import { putFile } from './put-file.ts'

/** specification.md#limits-of-a-message */
export const MOST_FILE_BYTES = 26_214_400
/** Of all together: a message has as much in base64, with its text. */
export const MOST_TOGETHER_BYTES = 19_000_000
export const MOST_FILES = 20
const MOST_NAME_CHARACTERS = 255
const AT_ONCE = 3

export interface Upload {
  readonly key: string
  readonly file: File
  /** It is to show within the text. */
  readonly isInline: boolean
  /** From 0 to 1. */
  done: number
  /** Why it did not get there. */
  fault: string | undefined
}

export interface UploadsOptions {
  mailboxId(): string
  /** How many files the draft has, and how large they are together. */
  has(): { files: number; bytes: number }
  onUploaded(attachment: DraftAttachment, upload: Upload): void
}

export function createUploads({ mailboxId, has, onUploaded }: UploadsOptions) {
  const uploads = signal<readonly Upload[]>([])
  const cancels = new Map<string, AbortController>()
  const change = (key: string, part: Partial<Upload>) => {
    uploads.value = uploads.value.map((each) => (each.key === key ? { ...each, ...part } : each))
  }
  const forget = (key: string) => {
    uploads.value = uploads.value.filter((each) => each.key !== key)
    cancels.delete(key)
  }
  const next = (): void => {
    const waiting = uploads.value.filter(({ key, fault }) => fault === undefined && !cancels.has(key))
    for (const upload of waiting.slice(0, Math.max(0, AT_ONCE - cancels.size))) void carry(upload)
  }

  async function carry(upload: Upload): Promise<void> {
    const { key } = upload
    const cancel = new AbortController()
    cancels.set(key, cancel)
    try {
      const attachment = await uploadFile(upload, mailboxId(), cancel.signal, (done) => change(key, { done }))
      if (cancel.signal.aborted) return
      forget(key)
      onUploaded(attachment, upload)
    } catch (error) {
      cancels.delete(key)
      if (!cancel.signal.aborted) change(key, { fault: faultOf(error as Error) })
    } finally {
      next()
    }
  }

  return {
    uploads,
    add(files: readonly File[], { isInline = false } = {}): void {
      const there = has()
      let count = there.files + uploads.value.length
      let bytes = there.bytes + uploads.value.reduce((sum, { file }) => sum + file.size, 0)
      const added = files.map((file): Upload => {
        const fault = tooMuch(file, ++count, bytes + file.size)
        if (fault === undefined) bytes += file.size
        return { key: crypto.randomUUID(), file, isInline, done: 0, fault }
      })
      uploads.value = [...uploads.value, ...added]
      next()
    },
    /** Also of one that failed. */
    cancel(key: string): void {
      cancels.get(key)?.abort()
      forget(key)
      next()
    },
    again(key: string): void {
      const { file } = uploads.value.find((each) => each.key === key) ?? {}
      if (!file) return
      const { files, bytes } = has()
      change(key, { fault: tooMuch(file, files + 1, bytes + file.size), done: 0 })
      next()
    },
    stop(): void {
      for (const cancel of cancels.values()) cancel.abort()
      uploads.value = []
    },
  }
}

export type Uploads = ReturnType<typeof createUploads>

function tooMuch(file: File, count: number, bytes: number): string | undefined {
  if (file.size === 0) return 'is empty'
  if (file.size > MOST_FILE_BYTES) return `is larger than ${bytesInWords(MOST_FILE_BYTES)}`
  if (count > MOST_FILES) return `is one too many: a message has ${MOST_FILES} files`
  if (bytes > MOST_TOGETHER_BYTES) {
    return `is too much: all files of a message together have ${bytesInWords(MOST_TOGETHER_BYTES)}`
  }
  return undefined
}

async function uploadFile(
  { key, file }: Upload,
  mailboxId: string,
  cancelled: AbortSignal,
  onProgress: (done: number) => void,
): Promise<DraftAttachment> {
  const mediaType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(file.type) ? file.type : 'application/octet-stream'
  const announced: NewUpload & { mailboxId: string } = {
    ...{ key, mailboxId, mediaType, sizeBytes: file.size },
    filename: file.name.slice(-MOST_NAME_CHARACTERS).toWellFormed() || 'file',
    sha256: await digestOf(file),
  }
  cancelled.throwIfAborted()
  const { uploadId, attachment } = await send<BegunUpload>('POST', '/data/uploads', announced)
  if (attachment) return attachment
  cancelled.throwIfAborted()
  const path = `/data/uploads/${encodeURIComponent(uploadId)}`
  await putFile(`${path}/content`, file, { mediaType, cancelled, onProgress })
  return send<DraftAttachment>('POST', `${path}/complete`, {})
}

/** Behind the name of the file. */
function faultOf(error: Error): string {
  const said = error instanceof Refusal ? (Object.values(error.faults)[0] ?? error.message) : error.message
  return `was not uploaded: ${said}`
}
