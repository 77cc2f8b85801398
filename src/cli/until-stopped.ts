// Keeps a service running until somebody asks it to stop.
import type { Logger } from 'pino'
import type { Service } from '../serve.ts'

/** DESIGN 6: it ends within 30 s of SIGTERM, whatever hangs. */
const STOP_WITHIN_MS = 28_000

/** Resolves when a signal has come and the service has drained. A second signal ends the process at once. */
export async function untilStopped(service: Service, log: Logger): Promise<void> {
  const signal = await new Promise<string>((resolve) => {
    process.once('SIGTERM', () => resolve('SIGTERM'))
    process.once('SIGINT', () => resolve('SIGINT'))
  })
  log.info({ signal }, 'stopping')
  for (const again of ['SIGTERM', 'SIGINT']) process.once(again, () => process.exit(1))
  const overdue = setTimeout(() => {
    log.error('did not stop in time')
    process.exit(1)
  }, STOP_WITHIN_MS)
  await service.stop()
  clearTimeout(overdue)
  log.info('stopped')
}
