// How a command that takes its time says how far it is: on a line of the terminal, and nowhere else.
import type { Cli } from './cli.ts'

const EVERY_MS = 200

export interface ProgressLine<T> {
  show(progress: T): void
  /** Takes the line away. */
  end(): void
}

/** `text` makes the line; it is shown a few times a second. */
export function progressLine<T>(cli: Pick<Cli, 'jsonErrors'>, text: (progress: T) => string): ProgressLine<T> {
  let shownAt = Number.NEGATIVE_INFINITY
  let width = 0
  const write = (line: string) => {
    process.stderr.write(`\r${line.padEnd(width)}`)
    width = line.length
  }
  return {
    show(progress) {
      if (cli.jsonErrors || performance.now() - shownAt < EVERY_MS) return
      shownAt = performance.now()
      write(text(progress))
    },
    end() {
      if (width > 0) process.stderr.write(`\r${' '.repeat(width)}\r`)
    },
  }
}

/** `1.2 GB`, as people read it. */
export function readableBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  const step = bytes < 1_000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1_000 ** step
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[step]}`
}
