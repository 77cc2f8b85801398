// What one check of `mdk doctor` gives.

export interface Check {
  name: string
  result: 'ok' | 'warn' | 'fail'
  found: string
  /** What to do about it. */
  repair?: string
}
