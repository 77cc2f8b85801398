// Whoever runs a command acts as the operator.
import { userInfo } from 'node:os'
import type { Operator } from '../access/actor.ts'

/** The operator, by the account of the machine that runs this command. */
export function operator(): Operator {
  return { kind: 'operator', account: account() }
}

function account(): string {
  try {
    return userInfo().username
  } catch {
    // The number that the process runs as has no name, as in many containers.
    return `uid ${process.getuid?.()}`
  }
}
