// What the log says of messages that are to be sent, for whoever waits for one of them. Knows no more of it than that it is there.
import type { ChangeData } from '../../src/servers/sessions/changes-text.ts'

export interface News {
  /** Until so much time has passed, or there was news since the last waiting. Gives whether the log said that it is there. */
  wait(ms: number): Promise<boolean>
  stop(): void
}

const listeners = new Set<(change: ChangeData) => void>()

export function tellQueuedNews(change: ChangeData): void {
  for (const hear of listeners) hear(change)
}

/** Of a message. What was missed may have been about it: then one has to look. */
export function newsOf(messageId: string): News {
  let isNews = false
  let isThere = false
  let wake = (): void => {}
  const hear = ({ type, id }: ChangeData): void => {
    if (type !== 'reload' && (type !== 'message.queued' || id !== messageId)) return
    isNews = true
    isThere ||= type === 'message.queued'
    wake()
  }
  listeners.add(hear)
  return {
    async wait(ms) {
      if (!isNews) {
        const { promise, resolve } = Promise.withResolvers<void>()
        const timer = setTimeout(resolve, ms)
        wake = resolve
        await promise
        clearTimeout(timer)
      }
      isNews = false
      return isThere
    },
    stop: () => void listeners.delete(hear),
  }
}
