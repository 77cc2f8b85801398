// A DNS server on loopback, over UDP and TCP, whose records and faults a test sets as it goes.
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import dns2, { type DnsHandler, Packet } from 'dns2'

/** What a name has: records of a type, or how the server fails when asked for it. */
export type Zone = Record<string, NameRecords | DnsFault>

export interface NameRecords {
  A?: string[]
  AAAA?: string[]
  /** The name is an alias of another, whose records are given with it. */
  CNAME?: string
  MX?: { exchange: string; priority: number }[]
  PTR?: string[]
  /** A string is one character string; longer ones are cut every 255 bytes, as zone files do. */
  TXT?: (string | string[])[]
}

/** `servfail` answers that something is wrong, `silence` does not answer. */
export type DnsFault = 'servfail' | 'refused' | 'silence'

export interface TestDns {
  /** `127.0.0.1:port`, for `setServers` and MDK_DNS_SERVERS. */
  readonly server: string
  /** Names in lower case without the last dot. Change it at will; names that are not there do not exist. */
  zone: Zone
  /** How long each answer takes. */
  delayMs: number
  /** Every question so far, as `TXT example.test`. */
  readonly questions: string[]
  stop(): Promise<void>
}

export async function startTestDns(zone: Zone = {}): Promise<TestDns> {
  const questions: string[] = []
  const test = { server: '', zone, delayMs: 0, questions, stop: async () => {} }
  const handle: DnsHandler = (request, send) => {
    const response = Packet.createResponseFromRequest(request)
    const [question] = request.questions
    if (!question) return
    const name = question.name.toLowerCase()
    const type = TYPES.find((known) => Packet.TYPE[known] === question.type)
    questions.push(`${type ?? question.type} ${name}`)
    const found = test.zone[name]
    if (found === 'silence') return
    if (found === 'servfail') response.header.rcode = SERVFAIL
    else if (found === 'refused') response.header.rcode = REFUSED
    else if (found === undefined) response.header.rcode = NXDOMAIN
    else if (type) {
      const alias = found.CNAME
      if (alias !== undefined) {
        const isAlias = { ...question, type: Packet.TYPE.CNAME }
        response.answers.push(Packet.createResourceFromQuestion(isAlias, { ttl: 60, domain: alias }))
      }
      const target = alias === undefined ? { name, found } : { name: alias, found: test.zone[alias] }
      if (typeof target.found === 'object' && type !== 'CNAME') {
        for (const data of answersOf(target.found, type)) {
          response.answers.push(
            Packet.createResourceFromQuestion({ ...question, name: target.name }, { ttl: 60, ...data }),
          )
        }
      }
    }
    if (test.delayMs === 0) send(response)
    else setTimeout(send, test.delayMs, response)
  }
  const port = await freePort()
  const server = dns2.createServer({ udp: true, tcp: true, handle })
  await server.listen({ udp: { port, address: '127.0.0.1' }, tcp: { port, address: '127.0.0.1' } })
  test.server = `127.0.0.1:${port}`
  test.stop = async () => {
    await server.close()
  }
  return test
}

/** RFC 1035 4.1.1. */
const SERVFAIL = 2
const NXDOMAIN = 3
const REFUSED = 5

const TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'PTR', 'TXT'] as const

function answersOf(records: NameRecords, type: Exclude<(typeof TYPES)[number], 'CNAME'>): Record<string, unknown>[] {
  switch (type) {
    case 'A':
    case 'AAAA':
      return (records[type] ?? []).map((address) => ({ address }))
    case 'MX':
      return (records.MX ?? []).map(({ exchange, priority }) => ({ exchange, priority }))
    case 'PTR':
      return (records.PTR ?? []).map((domain) => ({ domain }))
    case 'TXT':
      return (records.TXT ?? []).map((text) => ({
        data: typeof text === 'string' ? (text.match(/.{1,255}/gs) ?? ['']) : text,
      }))
  }
}

/** UDP and TCP must share a port, which only one of them can be given by chance: retried until both have it. */
async function freePort(): Promise<number> {
  for (;;) {
    const udp = createSocket('udp4')
    await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve))
    const { port } = udp.address()
    const tcp = createServer()
    const free = await new Promise<boolean>((resolve) => {
      tcp.once('error', () => resolve(false))
      tcp.listen(port, '127.0.0.1', () => resolve(true))
    })
    await new Promise<void>((resolve) => udp.close(() => resolve()))
    if (free) await new Promise<void>((resolve) => tcp.close(() => resolve()))
    if (free) return port
  }
}
