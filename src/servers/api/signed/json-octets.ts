// JSON whose octets were needed first, because they are signed.
import { problem } from '../../../access/problem.ts'

/** @throws Problem invalid_json, also for no octets at all */
export function parseOctets(octets: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(octets))
  } catch {
    throw problem('invalid_json')
  }
}
