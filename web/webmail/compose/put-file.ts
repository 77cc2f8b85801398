// Sends the octets of a file, and says how many have gone: only the older of the two ways to ask can.
import { Refusal, signIn } from '../../ui/request.ts'

interface Options {
  mediaType: string
  cancelled: AbortSignal
  /** From 0 to 1. */
  onProgress(done: number): void
}

/** @throws Refusal */
export function putFile(path: string, file: Blob, { mediaType, cancelled, onProgress }: Options): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const request = new XMLHttpRequest()
  request.open('PUT', path)
  request.setRequestHeader('content-type', mediaType)
  request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total)
  request.onload = () => {
    if (request.status >= 200 && request.status < 300) return resolve()
    if (request.status === 401) signIn()
    reject(new Refusal(request.status, envelopeOf(request.responseText)))
  }
  request.onerror = () => {
    reject(new Refusal(0, { code: 'unreachable', message: 'The service cannot be reached. Check your connection.' }))
  }
  request.onabort = () => reject(cancelled.reason)
  cancelled.addEventListener('abort', () => request.abort(), { once: true })
  request.send(file)
  return promise
}

function envelopeOf(text: string): object {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
