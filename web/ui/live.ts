// What is new, as it happens: one stream for all tabs of a browser. Whichever tab holds the lock reads it and tells the others;
// when that one is closed the next goes on behind what it has heard.
import type { ChangeData } from '../../src/servers/sessions/changes-text.ts'

const AGAIN_MS = 5_000

interface Listener {
  /** `/changes`, of an environment. */
  url: string
  onChange(change: ChangeData): void
  /** The stream was refused, as when the session has ended. */
  onRefused(): void
}

interface Heard {
  change: ChangeData
  /** Undefined: as it was. */
  cursor?: string
}

/** Listens until the page goes away. */
export function followChanges({ url, onChange, onRefused }: Listener): void {
  let cursor: string | undefined
  const hear = ({ change, cursor: next }: Heard) => {
    cursor = next ?? cursor
    onChange(change)
  }
  const channel = new BroadcastChannel(url)
  channel.onmessage = ({ data }: MessageEvent<Heard>) => hear(data)
  void navigator.locks.request(url, async () => {
    for (;;) {
      await readUntilRefused(url, cursor, (heard) => {
        channel.postMessage(heard)
        hear(heard)
      })
      onRefused()
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    }
  })
}

/** Streams that end are begun again by the browser, from where they were. */
function readUntilRefused(url: string, cursor: string | undefined, hear: (heard: Heard) => void): Promise<void> {
  return new Promise((resolve) => {
    const from = new URL(url, location.href)
    if (cursor !== undefined) from.searchParams.set('lastEventId', cursor)
    const stream = new EventSource(from)
    let wasOpen = false
    stream.onopen = () => {
      // It may have ended because the user is no longer who they were.
      if (wasOpen) hear({ change: { type: 'reload' } })
      wasOpen = true
    }
    stream.onmessage = ({ data, lastEventId }: MessageEvent<string>) => {
      hear({ change: JSON.parse(data) as ChangeData, cursor: lastEventId })
    }
    stream.onerror = () => {
      if (stream.readyState === EventSource.CLOSED) resolve()
    }
  })
}
