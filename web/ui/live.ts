// What is new, as it happens: one stream for all tabs of a browser. Whichever tab holds the lock reads it and tells the others;
// when that one is closed, the next takes over.

export interface Change {
  type: string
  id: string
  /** Of what lies in mailboxes. */
  mailboxIds?: string[]
}

const AGAIN_MS = 5_000

interface Listener {
  /** As by `EventSource`. */
  url: string
  onChange(change: Change): void
  /** The stream was refused, as when the session has ended. */
  onRefused(): void
}

/** Listens until the page goes away. */
export function followChanges({ url, onChange, onRefused }: Listener): void {
  const channel = new BroadcastChannel(url)
  channel.onmessage = ({ data }: MessageEvent<Change>) => onChange(data)
  void navigator.locks.request(url, async () => {
    for (;;) {
      await readUntilRefused(url, (change) => {
        channel.postMessage(change)
        onChange(change)
      })
      onRefused()
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    }
  })
}

/** Connections that break off are made again by the browser, from where they were. */
function readUntilRefused(url: string, onChange: (change: Change) => void): Promise<void> {
  return new Promise((resolve) => {
    const stream = new EventSource(url)
    stream.onmessage = ({ data }: MessageEvent<string>) => onChange(JSON.parse(data) as Change)
    stream.onerror = () => {
      if (stream.readyState === EventSource.CLOSED) resolve()
    }
  })
}
