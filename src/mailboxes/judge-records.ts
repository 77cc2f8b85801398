// What records in the DNS are worth to a check of a domain, and what is wrong with them. Pure.
import type { DnsAnswer, DnsRecords } from '../lib/resolver.ts'

/** `error`: the DNS gave no answer, which says nothing about the domain. */
export const CHECK_STATUSES = ['pass', 'missing', 'wrong', 'error'] as const
export type CheckStatus = (typeof CHECK_STATUSES)[number]

/** Why a check does not pass. */
export const CHECK_FAULTS = [
  // The name has no record of the type.
  'nothing',
  // It has some, and none of the kind.
  'others',
  // The name is a CNAME, and what it leads to has none of the kind.
  'alias',
  // There is more than one of the kind, where one may be.
  'several',
  // The text holds the quotes that a zone file would have around it.
  'quoted',
  'another_key',
  'revoked_key',
  'another_algorithm',
  'another_token',
  // The record is right, and the domain is another tenant's already.
  'taken',
  'allows_everyone',
  'no_policy',
  'takes_no_mail',
  // The domain has no key yet that could be published.
  'no_key',
  'no_answer',
] as const
export type CheckFault = (typeof CHECK_FAULTS)[number]

export interface Judgement {
  status: CheckStatus
  /** Null where it passes. */
  fault: CheckFault | null
  /** The records of the kind that is looked for. */
  found: string[]
  /** Other records of the type at the name. */
  others: string[]
}

type TxtAnswer = DnsAnswer<DnsRecords['TXT']>

export function judgeMx(answer: DnsAnswer<DnsRecords['MX']>): Judgement {
  if (answer.kind !== 'records') return withoutRecords(answer)
  const found = answer.records.map(({ priority, exchange }) => `${priority} ${exchange || '.'}`)
  // RFC 7505: a single empty exchange says that the domain takes no mail.
  const takesMail = answer.records.some(({ exchange }) => exchange !== '' && exchange !== '.')
  return judged(found, [], takesMail ? null : 'takes_no_mail')
}

/** RFC 7208 3.2, 4.5: exactly one record. `+all` lets everyone send, which is no policy. */
export function judgeSpf(answer: TxtAnswer): Judgement {
  return judgeKind(answer, /^v=spf1(\s|$)/i, ([record = '', ...more]) => {
    if (more.length > 0) return 'several'
    return /\s\+?all(\s|$)/i.test(record) ? 'allows_everyone' : null
  })
}

/** RFC 6376 3.6.1: our key under our selector; an empty `p` has revoked it. */
export function judgeDkim(answer: TxtAnswer, publicKey: string): Judgement {
  return judgeKind(answer, /(^|;)\s*p\s*=/i, ([record = '', ...more]) => {
    if (more.length > 0) return 'several'
    const key = keyOf(record)
    if (key !== publicKey) {
      if (key === '') return 'revoked_key'
      return keyOf(unquoted(record)) === publicKey ? 'quoted' : 'another_key'
    }
    const ofItsKind =
      ['', 'DKIM1'].includes(tagOf(record, 'v')) && ['', 'rsa'].includes(tagOf(record, 'k').toLowerCase())
    return ofItsKind ? null : 'another_algorithm'
  })
}

/** RFC 7489 6.6.3. */
export function judgeDmarc(answer: TxtAnswer): Judgement {
  return judgeKind(answer, /^v\s*=\s*DMARC1(\s|;|$)/, ([record = '', ...more]) => {
    if (more.length > 0) return 'several'
    return ['none', 'quarantine', 'reject'].includes(tagOf(record, 'p').toLowerCase()) ? null : 'no_policy'
  })
}

/** Others may stand beside it, as when a record is being replaced. */
export function judgeVerification(answer: TxtAnswer, expected: string): Judgement {
  return judgeKind(answer, /^/, (records) => {
    if (records.some((record) => record.trim() === expected)) return null
    return records.some((record) => unquoted(record) === expected) ? 'quoted' : 'another_token'
  })
}

/** Of a domain without a key. */
export const WITHOUT_KEY: Judgement = { status: 'missing', fault: 'no_key', found: [], others: [] }

/** Each TXT record as one text (RFC 7208 3.3, RFC 6376 3.6.2.2); `faultOf` judges those of the kind. */
function judgeKind(
  answer: TxtAnswer,
  kind: RegExp,
  faultOf: (records: readonly string[]) => CheckFault | null,
): Judgement {
  if (answer.kind !== 'records') return withoutRecords(answer)
  const all = answer.records.map((strings) => strings.join(''))
  const found = all.filter((record) => kind.test(record))
  const others = all.filter((record) => !kind.test(record))
  if (found.length > 0) return judged(found, others, faultOf(found))
  const fault = others.some((record) => kind.test(unquoted(record))) ? 'quoted' : 'others'
  return { status: 'missing', fault, found, others }
}

const judged = (found: string[], others: string[], fault: CheckFault | null): Judgement => ({
  status: fault === null ? 'pass' : 'wrong',
  fault,
  found,
  others,
})

function withoutRecords(answer: { kind: 'none' } | { kind: 'failed'; code: string }): Judgement {
  return answer.kind === 'none'
    ? { status: 'missing', fault: 'nothing', found: [], others: [] }
    : { status: 'error', fault: 'no_answer', found: [], others: [] }
}

/** Without quotes, and backslashes before them, at both ends. */
const unquoted = (record: string): string => record.trim().replaceAll(/^(?:\\?")+|(?:\\?")+$/g, '')

const keyOf = (record: string): string => tagOf(record, 'p').replace(/\s/g, '')

/** The value of a tag in `tag=value; …` (RFC 6376 3.2); empty when it is not there. */
function tagOf(record: string, tag: string): string {
  for (const part of record.split(';')) {
    const [name = '', ...value] = part.split('=')
    if (name.trim().toLowerCase() === tag) return value.join('=').trim()
  }
  return ''
}
