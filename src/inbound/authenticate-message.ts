// Runs SPF, DKIM and DMARC over one message with mailauth. Runs within a thread: hashing takes as long as the message
// is large, and what a stranger signs can be made to take longer. Knows nothing of threads.
import { domainToASCII } from 'node:url'
import { dkimVerify, dmarc, spf } from 'mailauth'
import type { DnsAnswer, DnsRecords } from '../lib/resolver.ts'
import { storableText } from '../mail-parser/body-text.ts'
import type { Authentication, DkimResult, DmarcPolicy, DmarcResult, SpfResult } from './authentication.ts'
import { readSigningHeader } from './signing-header.ts'

export interface Envelope {
  /** Of the sending host. */
  clientAddress: string
  /** What it called itself in EHLO. */
  clientName: string
  /** Empty for the null sender. */
  sender: string
}

export type Query = <Type extends keyof DnsRecords>(name: string, type: Type) => Promise<DnsAnswer<DnsRecords[Type]>>

/**
 * What the DNS and the bytes say. With `signatures` false the message counts as one whose signatures cannot be
 * verified, and `raw` may be its beginning only.
 */
export async function authenticateMessage(
  raw: Uint8Array,
  envelope: Envelope,
  query: Query,
  signatures: boolean,
): Promise<Authentication> {
  const { message, fromDomains } = readSigningHeader(raw)
  const resolver = resolverFor(query)
  const [sender, signers] = await Promise.all([
    checkSender(envelope, resolver),
    signatures ? checkSignatures(message, resolver) : [UNVERIFIABLE],
  ])
  const verdicts = await Promise.all(fromDomains.map((domain) => checkFrom(domain, sender, signers, resolver)))
  const signer = bestOf(signers)
  const verdict = worstOf(verdicts)
  return {
    spf: { ...sender, domain: shown(sender.domain) },
    dkim: { ...signer, domain: shown(signer.domain), selector: shown(signer.selector) },
    dmarc: { ...verdict, domain: shown(verdict.domain) },
  }
}

/** RFC 1035 2.3.4: no name is longer. What claims to be one is a stranger's text. */
const MAX_NAME_CHARS = 255

function shown(name: string | null): string | null {
  return name === null ? null : storableText(name.slice(0, MAX_NAME_CHARS))
}

type Resolver = (name: string, type: string) => Promise<string[]>

/**
 * mailauth's view of the DNS. Every failure to get an answer is a timeout to it, the one code that it takes for a
 * temporary error wherever it happens; others it passes over within an SPF include. Nothing is asked twice.
 */
function resolverFor(query: Query): Resolver {
  const asked = new Map<string, Promise<DnsAnswer<unknown>>>()
  return async (name, type) => {
    const question = `${type} ${name}`
    const answering = asked.get(question) ?? query(name, type as keyof DnsRecords)
    asked.set(question, answering)
    const answer = await answering
    if (answer.kind === 'records') return answer.records as string[]
    throw Object.assign(new Error('no records'), { code: answer.kind === 'none' ? 'ENODATA' : 'ETIMEOUT' })
  }
}

interface Sender {
  result: SpfResult
  domain: string | null
}

async function checkSender(envelope: Envelope, resolver: Resolver): Promise<Sender> {
  const { domain, status } = await spf({
    sender: envelope.sender,
    ip: envelope.clientAddress,
    helo: envelope.clientName,
    mta: 'localhost',
    resolver,
  })
  return { result: status.result as SpfResult, domain: domain === '-' ? null : domain }
}

interface Signer {
  result: DkimResult
  domain: string | null
  selector: string | null
}

const UNVERIFIABLE: Signer = { result: 'permerror', domain: null, selector: null }

async function checkSignatures(message: Buffer, resolver: Resolver): Promise<Signer[]> {
  const { results } = await dkimVerify(message, { resolver })
  return results.map((signature) => ({
    result: signatureResult(signature as Signature),
    domain: signature.signingDomain ?? null,
    selector: signature.selector ?? null,
  }))
}

/** What mailauth gives beyond its types. */
interface Signature {
  algo?: string
  status: { result: string; comment?: string; underSized?: number }
}

function signatureResult({ algo, status }: Signature): DkimResult {
  // RFC 6376 8.2: whoever adds to the body behind `l=` bytes speaks with the signer's voice.
  // RFC 8301 3.1: SHA-1 must not be counted.
  if (status.result === 'pass') return status.underSized || algo?.endsWith('-sha1') ? 'policy' : 'pass'
  // RFC 8601 2.7.1 calls that a failure; mailauth leaves it open.
  if (status.comment === 'body hash did not verify') return 'fail'
  return status.result as DkimResult
}

const DKIM_ORDER: DkimResult[] = ['pass', 'temperror', 'policy', 'fail', 'neutral', 'permerror', 'none']

function bestOf(signers: Signer[]): Signer {
  return signers.toSorted((a, b) => DKIM_ORDER.indexOf(a.result) - DKIM_ORDER.indexOf(b.result))[0] ?? UNVERIFIABLE
}

type Verdict = Authentication['dmarc']

async function checkFrom(domain: string, sender: Sender, signers: Signer[], resolver: Resolver): Promise<Verdict> {
  const judge = async (results: (SpfResult | DkimResult)[]) => {
    const spfDomains = domainsWith(results, [sender])
    const dkimDomains = domainsWith(results, signers)
    const verdict = await dmarc({
      headerFrom: [`@${domain}`],
      spfDomains,
      dkimDomains: dkimDomains.map((signer, i) => ({ id: String(i), domain: signer })),
      resolver,
    })
    if (verdict === false || verdict.status.result !== 'pass') return verdict
    const { spf: bySender, dkim: bySigner } = verdict.alignment
    const aligned = isAligned(domain, spfDomains, bySender) || isAligned(domain, dkimDomains, bySigner)
    return { ...verdict, status: { result: aligned ? 'pass' : 'fail' } }
  }
  const verdict = await judge(['pass'])
  if (verdict === false) return { result: 'none', domain, policy: null }
  // RFC 7489 6.6.2: what might have passed, had the DNS answered, has not failed.
  const open = verdict.status.result === 'fail' ? await judge(['pass', 'temperror']) : false
  const result = open !== false && open.status.result !== 'fail' ? 'temperror' : verdict.status.result
  return { result: result as DmarcResult, domain, policy: policyOf(verdict.policy) }
}

function domainsWith(results: (SpfResult | DkimResult)[], proofs: (Sender | Signer)[]): string[] {
  return proofs.filter(({ result }) => results.includes(result)).flatMap((proof) => proof.domain ?? [])
}

/** RFC 7489 3.1: mailauth reads whether alignment is strict, and then takes the relaxed one for it. */
function isAligned(from: string, domains: string[], found: { result?: string | false; strict: boolean }): boolean {
  return found.strict ? domains.some((domain) => ascii(domain) === ascii(from)) : Boolean(found.result)
}

function ascii(domain: string): string {
  return domainToASCII(domain) || domain.toLowerCase()
}

function policyOf(policy: string | undefined): DmarcPolicy | null {
  const known = policy?.trim().toLowerCase()
  return known === 'reject' || known === 'quarantine' || known === 'none' ? known : null
}

const DMARC_ORDER: DmarcResult[] = ['fail', 'permerror', 'temperror', 'none', 'pass']
const POLICY_ORDER: (DmarcPolicy | null)[] = ['reject', 'quarantine', 'none', null]

/** RFC 7489 6.6.1: of several domains in From, the strictest word counts. Without any there is nothing to judge. */
function worstOf(verdicts: Verdict[]): Verdict {
  const [worst] = verdicts.toSorted(
    (a, b) =>
      DMARC_ORDER.indexOf(a.result) - DMARC_ORDER.indexOf(b.result) ||
      POLICY_ORDER.indexOf(a.policy) - POLICY_ORDER.indexOf(b.policy),
  )
  return worst ?? { result: 'none', domain: null, policy: null }
}
