// Asks a server for one thing after another, each when its time has come. What was not answered is tried again, later and later.
import { type ReadonlySignal, signal } from '@preact/signals'
import { Refusal } from '../../ui/request.ts'
import type { Clock } from './draft-parts.ts'
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
  /** It was not answered, and is tried again by itself. */
  wentAway(): void
}

export interface Turns {
  /** What was asked last was not answered. */
  isAway: ReadonlySignal<boolean>
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
  const isAway = signal(false)
  let failures = 0
  let retryAt = 0
  let running: Promise<void> | undefined
  let callOff = (): void => {}

  const timeOf = (step: Step): number => (isAway.peek() ? retryAt : asker.timeOf(step))

  async function askAll(): Promise<void> {
    callOff()
    for (let step = asker.next(); step && timeOf(step) <= clock.now(); step = asker.next()) {
      try {
        await asker.ask(step)
        isAway.value = false
        failures = 0
      } catch (error) {
        await failed(step, error as Error).catch((again: Error) => (passes(again) ? goAway() : asker.gaveUp(again)))
      }
    }
  }

  async function failed(step: Step, why: Error): Promise<void> {
    if (passes(why)) goAway()
    else await asker.refused(step, why)
  }

  function goAway(): void {
    failures += 1
    retryAt = clock.now() + retryWait(failures, clock.random())
    isAway.value = true
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
    isAway,
    isRunning: () => running !== undefined,
    run,
    schedule,
    nudge() {
      retryAt = 0
      void run()
    },
    stop: () => callOff(),
  }
}

/** It may go through the next time. */
function passes(error: Error): boolean {
  return error instanceof Refusal && (error.status === 0 || error.status >= 500 || [408, 429].includes(error.status))
}
