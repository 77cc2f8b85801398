// Looks at what a domain has in the DNS for mail. Gives what was found and what should be there; what that makes of
// the domain's health is `domain-health.ts`. Knows nothing of the database.
import type { DnsAnswer, DnsResolver } from '../lib/resolver.ts'
import { storableText } from '../mail/parse/body-text.ts'

/** `error`: the DNS gave no answer, which says nothing about the domain. */
export const CHECK_STATUSES = ['pass', 'missing', 'wrong', 'error'] as const
export type CheckStatus = (typeof CHECK_STATUSES)[number]

export interface DomainCheck {
  status: CheckStatus
  /** The records that are there, each cut to MAX_FOUND_CHARS, as text that the database can store. */
  found: string[]
  /** The record that should be there, or words for it. */
  expected: string
}

export const DOMAIN_CHECKS = ['mx', 'spf', 'dkim', 'dmarc', 'verification'] as const
export type DomainChecks = Record<(typeof DOMAIN_CHECKS)[number], DomainCheck>

export interface DomainUnderCheck {
  /** In lower case and ASCII. */
  domain: string
  verificationToken: string
  /** Null while the domain has no key. */
  dkim: { selector: string; publicKey: string } | null
}

/** Of a record that is shown. */
const MAX_FOUND_CHARS = 1_000

/** Runs all checks at once; those without an answer after `timeoutMs` are errors. Never fails. */
export async function checkDomain(
  domain: DomainUnderCheck,
  resolver: Pick<DnsResolver, 'query'>,
  timeoutMs: number,
): Promise<DomainChecks> {
  let expire = () => {}
  const expired = new Promise<null>((resolve) => {
    expire = () => resolve(null)
  })
  const timer = setTimeout(expire, timeoutMs)
  const inTime = async (expected: string, check: Promise<Finding>): Promise<DomainCheck> => {
    const { status, found } = (await Promise.race([check, expired])) ?? { status: 'error', found: [] }
    return { status, found: found.map((record) => storableText(record.slice(0, MAX_FOUND_CHARS))), expected }
  }
  try {
    const [mx, spf, dkim, dmarc, verification] = await Promise.all([
      inTime(EXPECTED.mx, checkMx(domain, resolver)),
      inTime(EXPECTED.spf, checkSpf(domain, resolver)),
      inTime(expectedDkim(domain), checkDkim(domain, resolver)),
      inTime(EXPECTED.dmarc, checkDmarc(domain.domain, resolver)),
      inTime(verificationRecord(domain), checkVerification(domain, resolver)),
    ])
    return { mx, spf, dkim, dmarc, verification }
  } finally {
    clearTimeout(timer)
  }
}

/** The TXT record at `_mdk.<domain>` that proves who the domain belongs to. specification.md#ownership-of-a-domain */
export function verificationRecord({ verificationToken }: Pick<DomainUnderCheck, 'verificationToken'>): string {
  return `mdk-verify=${verificationToken}`
}

type Finding = Pick<DomainCheck, 'status' | 'found'>
type Resolver = Pick<DnsResolver, 'query'>

const EXPECTED = {
  mx: 'at least one MX record that names a host',
  spf: 'one TXT record that begins with v=spf1 and does not allow everyone',
  dkim: 'a DKIM key, which the domain does not have yet',
  dmarc: 'one TXT record at _dmarc that begins with v=DMARC1 and has a policy (p=none, quarantine or reject)',
}

async function checkMx({ domain }: DomainUnderCheck, resolver: Resolver): Promise<Finding> {
  const answer = await resolver.query(domain, 'MX')
  if (answer.kind !== 'records') return withoutRecords(answer)
  const found = answer.records.map(({ priority, exchange }) => `${priority} ${exchange || '.'}`)
  // RFC 7505: a single empty exchange says that the domain takes no mail.
  return {
    status: answer.records.some(({ exchange }) => exchange !== '' && exchange !== '.') ? 'pass' : 'wrong',
    found,
  }
}

/** RFC 7208 3.2, 4.5: exactly one record. `+all` lets everyone send, which is no policy. */
async function checkSpf({ domain }: DomainUnderCheck, resolver: Resolver): Promise<Finding> {
  const answer = await txtRecords(resolver, domain, /^v=spf1(\s|$)/i)
  if (answer.kind !== 'records') return withoutRecords(answer)
  const [record = '', ...others] = answer.records
  const allowsAll = /\s\+?all(\s|$)/i.test(record)
  return { status: others.length > 0 || allowsAll ? 'wrong' : 'pass', found: answer.records }
}

function expectedDkim({ dkim }: DomainUnderCheck): string {
  return dkim ? `v=DKIM1; k=rsa; p=${dkim.publicKey}` : EXPECTED.dkim
}

/** RFC 6376 3.6.1: our key under our selector; an empty `p` has revoked it. */
async function checkDkim({ domain, dkim }: DomainUnderCheck, resolver: Resolver): Promise<Finding> {
  if (!dkim) return { status: 'missing', found: [] }
  const answer = await txtRecords(resolver, `${dkim.selector}._domainkey.${domain}`, /(^|;)\s*p\s*=/i)
  if (answer.kind !== 'records') return withoutRecords(answer)
  const [record = '', ...others] = answer.records
  const ours = tagOf(record, 'p').replace(/\s/g, '') === dkim.publicKey
  const ofItsKind = ['', 'DKIM1'].includes(tagOf(record, 'v')) && ['', 'rsa'].includes(tagOf(record, 'k').toLowerCase())
  return { status: ours && ofItsKind && others.length === 0 ? 'pass' : 'wrong', found: answer.records }
}

/** RFC 7489 6.6.3: the record of the domain, or of the one it lies under, up to two labels. */
async function checkDmarc(domain: string, resolver: Resolver): Promise<Finding> {
  const answer = await txtRecords(resolver, `_dmarc.${domain}`, /^v\s*=\s*DMARC1(\s|;|$)/)
  const parent = domain.slice(domain.indexOf('.') + 1)
  if (answer.kind === 'none' && parent.includes('.')) return checkDmarc(parent, resolver)
  if (answer.kind !== 'records') return withoutRecords(answer)
  const [record = '', ...others] = answer.records
  const hasPolicy = ['none', 'quarantine', 'reject'].includes(tagOf(record, 'p').toLowerCase())
  return { status: hasPolicy && others.length === 0 ? 'pass' : 'wrong', found: answer.records }
}

async function checkVerification(domain: DomainUnderCheck, resolver: Resolver): Promise<Finding> {
  const answer = await txtRecords(resolver, `_mdk.${domain.domain}`, /^/)
  if (answer.kind !== 'records') return withoutRecords(answer)
  // Others may stand beside it, as when a record is being replaced.
  const ours = answer.records.some((record) => record.trim() === verificationRecord(domain))
  return { status: ours ? 'pass' : 'wrong', found: answer.records }
}

/** Each TXT record as one text (RFC 7208 3.3, RFC 6376 3.6.2.2), those that are of the kind. */
async function txtRecords(resolver: Resolver, name: string, kind: RegExp): Promise<DnsAnswer<string>> {
  const answer = await resolver.query(name, 'TXT')
  if (answer.kind !== 'records') return answer
  const records = answer.records.map((strings) => strings.join('')).filter((record) => kind.test(record))
  return records.length > 0 ? { kind: 'records', records } : { kind: 'none' }
}

/** The value of a tag in `tag=value; …` (RFC 6376 3.2); empty when it is not there. */
function tagOf(record: string, tag: string): string {
  for (const part of record.split(';')) {
    const [name = '', ...value] = part.split('=')
    if (name.trim().toLowerCase() === tag) return value.join('=').trim()
  }
  return ''
}

function withoutRecords(answer: { kind: 'none' } | { kind: 'failed'; code: string }): Finding {
  return { status: answer.kind === 'none' ? 'missing' : 'error', found: [] }
}
