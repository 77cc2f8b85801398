// What was asked of a receiver before its endpoint is stored, and what came back instead of what was wanted.
import { useState } from 'preact/hooks'
import { Refusal } from '../../ui/request.ts'
import { Answer } from './answer.tsx'

interface Told {
  url: string
  refusal: Refusal
}

/** `told` is what to show; `telling` runs what asks the receiver at a URL, and throws whatever else was refused. */
export function useHandshake(): {
  told: Told | undefined
  telling(url: string, act: () => Promise<void>): Promise<void>
} {
  const [told, setTold] = useState<Told>()
  async function telling(url: string, act: () => Promise<void>): Promise<void> {
    setTold(undefined)
    try {
      await act()
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'webhook_verification_failed') throw error
      setTold({ url, refusal: error })
    }
  }
  return { told, telling }
}

export function Handshake({ told }: { told: Told | undefined }) {
  if (!told) return null
  const { answer } = told.refusal.details as { answer?: string | null }
  return (
    <div class="alert bad stack tight" role="alert">
      <p>{told.refusal.message}</p>
      {answer && <Answer text={answer} />}
      <p>
        <bdi class="address">{told.url}</bdi> was sent a POST of type <code>webhook.endpoint_verification</code> with a{' '}
        <code>data.challenge</code>, and has five seconds to answer 2xx with <code>{'{"challenge": "the same"}'}</code>.
        Nothing was stored. Have it answer so, then try again.
      </p>
    </div>
  )
}
