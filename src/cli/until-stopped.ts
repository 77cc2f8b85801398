// Keeps a service running until somebody asks it to stop, which may be while it still starts.
import type { Logger } from 'pino'

/** It ends within 30 s of SIGTERM, whatever hangs. specification.md#stopping */
const STOP_WITHIN_MS = 28_000
/** One Ctrl-C may come twice: from the terminal, and from npm, which passes on what it gets. */
const SAME_WISH_MS = 2_000

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/**
 * Starts a service and resolves when a signal has come and it has drained. Whoever asks again, two seconds later or
 * more, has the process end at once. @throws what `start` throws
 */
export async function runUntilStopped(start: () => Promise<{ stop(): Promise<void> }>, log: Logger): Promise<void> {
  const asked = Promise.withResolvers<void>()
  let askedAtMs: number | undefined
  let overdue: NodeJS.Timeout | undefined
  const onSignal = (signal: string) => {
    if (askedAtMs === undefined) {
      log.info({ signal }, 'stopping')
      askedAtMs = performance.now()
      overdue = setTimeout(() => {
        log.error('did not stop in time')
        process.exit(1)
      }, STOP_WITHIN_MS)
      asked.resolve()
    } else if (performance.now() - askedAtMs > SAME_WISH_MS) process.exit(1)
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  try {
    const service = await start()
    await asked.promise
    await service.stop()
    log.info('stopped')
  } finally {
    clearTimeout(overdue)
    for (const signal of SIGNALS) process.off(signal, onSignal)
  }
}
