// Asks a server for one thing after another, each when its time has come. What was not answered is tried again, later and later.
import { type ReadonlySignal, signal } from '@preact/signals'
import { Refusal } from '../../ui/request.ts'
import type { Away, Clock } from './draft-parts.ts'
import { retryWait } from './save-times.ts'

interface Asker<Step> {
  next(): Step | undefined
  /** 0: at once. */
  timeOf(step: Step): number
  ask(step: Step): Promise<void>
  /** It was refused. @throws Refusal, also one that may pass */
  refused(step: Step, why: Error): Promise<void>
  /** Nothing more can be done about it. */
  gaveUp(why: Error): void
  /** It was not taken, and is tried again by itself. */
  wentAway(): void
}

export interface Turns {
  /** What was asked last was not taken. */
  away: ReadonlySignal<Away | undefined>
  isRunning(): boolean
  /** Is done once there is nothing that is to be asked now. */
  run(): Promise<void>
  /** What is next may have changed. */
  schedule(): void
  /** The server may be there again. */
  nudge(): void
  stop(): void
}

export function askInTurn<Step>(clock: Clock, asker: Asker<Step>): Turns {
  const away = signal<Away | undefined>(undefined)
  let failures = 0
  let retryAt = 0
  /** The server does not want to be asked before. */
  let notBefore = 0
  let running: Promise<void> | undefined
  let callOff = (): void => {}

  const timeOf = (step: Step): number => (away.peek() ? retryAt : asker.timeOf(step))

  async function askAll(): Promise<void> {
    callOff()
    for (let step = asker.next(); step && timeOf(step) <= clock.now(); step = asker.next()) {
      try {
        await asker.ask(step)
        away.value = undefined
        failures = 0
      } catch (error) {
        await failed(step, error as Error).catch((again: Error) =>
          passes(again) ? goAway(again) : asker.gaveUp(again),
        )
      }
    }
  }

  async function failed(step: Step, why: Error): Promise<void> {
    if (passes(why)) goAway(why)
    else await asker.refused(step, why)
  }

  function goAway({ status, retryAfterSeconds = 0 }: Refusal): void {
    failures += 1
    notBefore = clock.now() + retryAfterSeconds * 1_000
    retryAt = Math.max(notBefore, clock.now() + retryWait(failures, clock.random()))
    away.value = { kind: kindOf(status), retryInSeconds: Math.ceil((retryAt - clock.now()) / 1_000) }
    asker.wentAway()
  }

  function run(): Promise<void> {
    running ??= askAll().finally(() => {
      running = undefined
      schedule()
    })
    return running
  }

  function schedule(): void {
    callOff()
    const step = running ? undefined : asker.next()
    if (step) callOff = clock.after(Math.max(0, timeOf(step) - clock.now()), () => void run())
  }

  return {
    away,
    isRunning: () => running !== undefined,
    run,
    schedule,
    nudge() {
      retryAt = notBefore
      if (away.peek() && notBefore > clock.now()) asker.wentAway()
      void run()
    },
    stop: () => callOff(),
  }
}

/** It may go through the next time. */
function passes(error: Error): error is Refusal {
  return error instanceof Refusal && (error.status === 0 || error.status >= 500 || [408, 429].includes(error.status))
}

function kindOf(status: number): Away['kind'] {
  if (status === 429) return 'limited'
  return status === 0 ? 'unreachable' : 'busy'
}
