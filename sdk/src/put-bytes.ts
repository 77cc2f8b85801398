// The PUT of a direct upload. Over node:http, because fetch sends a stream in chunks and stores want its length.
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { ApiError, ConnectionError } from './errors.ts'

export interface PutTarget {
  url: string
  headers: Record<string, string>
  sizeBytes: number
  timeoutMs: number
  signal?: AbortSignal | undefined
}

const ERROR_TEXT_CHARACTERS = 10_000

/** Sends the bytes. @throws ApiError when the store refuses them, ConnectionError when it does not answer */
export async function putBytes(target: PutTarget, bytes: Readable): Promise<void> {
  const url = new URL(target.url)
  const begin = url.protocol === 'https:' ? httpsRequest : httpRequest
  const deadline = AbortSignal.timeout(target.timeoutMs)
  const signal = target.signal ? AbortSignal.any([target.signal, deadline]) : deadline
  const request = begin(url, {
    method: 'PUT',
    headers: { ...target.headers, 'content-length': String(target.sizeBytes) },
    signal,
  })
  const answered = new Promise<{ status: number; body: string }>((resolve, reject) => {
    request.on('error', reject)
    request.on('response', (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject)
    })
  })
  // A store may refuse in the middle of the body and hang up: its answer counts, not the broken pipe.
  const sent = pipeline(bytes, request).catch(() => {})
  let answer: { status: number; body: string }
  try {
    answer = await answered
  } catch (cause) {
    target.signal?.throwIfAborted()
    throw new ConnectionError(`PUT of the upload: no answer from ${url.host}`, { cause })
  } finally {
    bytes.destroy()
    await sent
  }
  if (answer.status < 200 || answer.status >= 300) throw refusalOf(answer)
}

/** Stores answer in words of their own: JSON of this service, XML of S3. */
function refusalOf({ status, body }: { status: number; body: string }): ApiError {
  try {
    return new ApiError(status, JSON.parse(body))
  } catch {
    const message = body.slice(0, ERROR_TEXT_CHARACTERS)
    return new ApiError(status, { code: 'upload_refused', message: `The store refused the upload: ${message}` })
  }
}
