// Looks at what a domain has in the DNS for mail. Gives what was found and what should be there; what that makes of
// the domain's health is `domain-health.ts`. Knows nothing of the database.
import type { DnsResolver } from '../lib/resolver.ts'
import { storableText } from '../mail/parse/body-text.ts'
import {
  type CheckFault,
  type CheckStatus,
  type Judgement,
  judgeDkim,
  judgeDmarc,
  judgeMx,
  judgeSpf,
  judgeVerification,
  WITHOUT_KEY,
} from './judge-records.ts'

export interface DomainCheck {
  status: CheckStatus
  /** The records that are there, as far as they are of the kind: MOST_FOUND of them, each cut to MAX_FOUND_CHARS, as text that
   *  the database can store. */
  found: string[]
  /** The record that should be there, or words for it. */
  expected: string
  /** What is wrong; null where it passes. */
  fault: CheckFault | null
  /** Other records of the type at the name, with the same bounds. */
  others: string[]
  /** Where the name leads that is an alias (CNAME); looked at where the check does not pass. */
  alias: string | null
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
/** Of one kind at a name. */
const MOST_FOUND = 20

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
    const { status, fault, found, others, alias } = (await Promise.race([check, expired])) ?? NO_ANSWER
    return { status, found: shown(found), expected, fault, others: shown(others), alias }
  }
  try {
    const [mx, spf, dkim, dmarc, verification] = await Promise.all([
      inTime(EXPECTED.mx, checkMx(domain, resolver)),
      inTime(EXPECTED.spf, checkTxt(resolver, domain.domain, judgeSpf)),
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

type Finding = Judgement & Pick<DomainCheck, 'alias'>
type Resolver = Pick<DnsResolver, 'query'>

const NO_ANSWER: Finding = { status: 'error', fault: 'no_answer', found: [], others: [], alias: null }

const shown = (records: readonly string[]): string[] =>
  records.slice(0, MOST_FOUND).map((record) => storableText(record.slice(0, MAX_FOUND_CHARS)))

const EXPECTED = {
  mx: 'at least one MX record that names a host',
  spf: 'one TXT record that begins with v=spf1 and does not allow everyone',
  dkim: 'a DKIM key, which the domain does not have yet',
  dmarc: 'one TXT record at _dmarc that begins with v=DMARC1 and has a policy (p=none, quarantine or reject)',
}

async function checkMx({ domain }: DomainUnderCheck, resolver: Resolver): Promise<Finding> {
  return withAlias(resolver, domain, judgeMx(await resolver.query(domain, 'MX')))
}

function expectedDkim({ dkim }: DomainUnderCheck): string {
  return dkim ? `v=DKIM1; k=rsa; p=${dkim.publicKey}` : EXPECTED.dkim
}

async function checkDkim({ domain, dkim }: DomainUnderCheck, resolver: Resolver): Promise<Finding> {
  if (!dkim) return { ...WITHOUT_KEY, alias: null }
  return checkTxt(resolver, `${dkim.selector}._domainkey.${domain}`, (answer) => judgeDkim(answer, dkim.publicKey))
}

/** RFC 7489 6.6.3: the record of the domain, or of the one it lies under, up to two labels. */
async function checkDmarc(domain: string, resolver: Resolver): Promise<Finding> {
  const own = await checkTxt(resolver, `_dmarc.${domain}`, judgeDmarc)
  const parent = domain.slice(domain.indexOf('.') + 1)
  if (own.status !== 'missing' || !parent.includes('.')) return own
  const inherited = await checkDmarc(parent, resolver)
  // What is not there is missing at the domain itself.
  return inherited.status === 'missing' ? own : inherited
}

function checkVerification(domain: DomainUnderCheck, resolver: Resolver): Promise<Finding> {
  const expected = verificationRecord(domain)
  return checkTxt(resolver, `_mdk.${domain.domain}`, (answer) => judgeVerification(answer, expected))
}

async function checkTxt(
  resolver: Resolver,
  name: string,
  judge: (answer: Awaited<ReturnType<typeof resolver.query<'TXT'>>>) => Judgement,
): Promise<Finding> {
  return withAlias(resolver, name, judge(await resolver.query(name, 'TXT')))
}

/** A name that is an alias has no records of its own: what is wrong is at the other end, or the alias itself. */
async function withAlias(resolver: Resolver, name: string, judgement: Judgement): Promise<Finding> {
  if (judgement.status === 'pass' || judgement.status === 'error') return { ...judgement, alias: null }
  const answer = await resolver.query(name, 'CNAME')
  const alias = answer.kind === 'records' ? storableText((answer.records[0] ?? '').slice(0, MAX_FOUND_CHARS)) : null
  const isBare = judgement.fault === 'nothing' || judgement.fault === 'others'
  return { ...judgement, fault: alias !== null && isBare ? 'alias' : judgement.fault, alias }
}
