// How much each bench does: enough for figures that repeat within the twelve minutes that all of them may take, or only
// as much as shows that they run.
import type { GateSizes } from './gate.ts'
import type { WebhookSizes } from './webhooks.ts'

export interface LoadSizes {
  /** Of one round. */
  seconds: number
  rounds: number
}

export interface Sizes {
  load: LoadSizes
  outbound: { messages: number; rounds: number }
  webhooks: WebhookSizes
  gate: GateSizes
  /** Messages, one after the other. */
  latency: number
  feed: { events: number; times: number }
  scale: { few: number; many: number; times: number }
  console: { messages: number; times: number; clicks: number }
  /** `folder`: messages in a folder; `messages`: that are searched. */
  webmail: { folder: number; messages: number; times: number; acts: number }
  /** `rows`: of a list that is scrolled through; `opened`: messages; `arrivals`: mails that come in. */
  tab: { rows: number; opened: number; jumps: number; arrivals: number }
  /** Bytes of each attachment. */
  memory: number
  start: { times: number; idleSeconds: number }
}

const MIB = 1024 * 1024

export const FULL: Sizes = {
  load: { seconds: 5, rounds: 3 },
  outbound: { messages: 4_000, rounds: 3 },
  webhooks: { rounds: 3, deliveries: 20_000, events: 400, backlog: 50_000 },
  gate: { rounds: 3, requests: 20_000, seconds: 3 },
  latency: 400,
  feed: { events: 100_000, times: 5 },
  scale: { few: 10_000, many: 1_000_000, times: 200 },
  console: { messages: 1_000_000, times: 31, clicks: 11 },
  webmail: { folder: 100_000, messages: 1_000_000, times: 31, acts: 11 },
  tab: { rows: 100_000, opened: 10_000, jumps: 31, arrivals: 30 },
  memory: 25 * MIB,
  start: { times: 3, idleSeconds: 5 },
}

export const SMOKE: Sizes = {
  load: { seconds: 1, rounds: 1 },
  outbound: { messages: 500, rounds: 1 },
  webhooks: { rounds: 1, deliveries: 2_000, events: 20, backlog: 1_000 },
  gate: { rounds: 1, requests: 1_000, seconds: 1 },
  latency: 20,
  feed: { events: 5_000, times: 1 },
  scale: { few: 1_000, many: 10_000, times: 20 },
  console: { messages: 2_000, times: 3, clicks: 2 },
  webmail: { folder: 2_000, messages: 2_000, times: 3, acts: 2 },
  tab: { rows: 1_000, opened: 20, jumps: 3, arrivals: 3 },
  memory: MIB,
  start: { times: 1, idleSeconds: 1 },
}
