// SPF, DKIM and DMARC over one message with mailauth, in steps that wait for nobody: each is given the answers of the DNS
// that are known, and says what else it would ask. Runs within a thread: hashing takes as long as the message is large,
// and what a stranger signs can be made to take longer. Knows nothing of threads.
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { dmarc } from 'mailauth/lib/dmarc/index.js'
import { spf } from 'mailauth/lib/spf/index.js'
import { storableText } from '../parse/body-text.ts'
import {
  type Authentication,
  type DkimResult,
  DMARC_POLICIES,
  type DmarcPolicy,
  type DmarcResult,
  type Signer,
  type SpfResult,
  UNVERIFIABLE,
} from './authentication.ts'
import { type DnsAnswers, type DnsQuestion, questionKey } from './dns-answers.ts'
import { messageToVerify } from './signing-header.ts'

export interface Envelope {
  /** Of the sending host. */
  clientAddress: string
  /** What it called itself in EHLO. */
  clientName: string
  /** Empty for the null sender. */
  sender: string
}

/** What a step came to. With questions left it counts for nothing, and is taken again with their answers. */
export interface Step<Result> {
  result: Result
  questions: DnsQuestion[]
}

export function senderStep(envelope: Envelope, answers: DnsAnswers): Promise<Step<CheckedSender>> {
  return step(answers, (resolver) => checkSender(envelope, resolver))
}

/** `raw` is the message whole. */
export function signaturesStep(raw: Uint8Array, answers: DnsAnswers): Promise<Step<Signer[]>> {
  return step(answers, (resolver) => checkSignatures(messageToVerify(raw), resolver))
}

/** What SPF and DKIM found out speaks for the domains in From, or does not. */
export function verdictStep(found: Found, answers: DnsAnswers): Promise<Step<Authentication>> {
  return step(answers, async (resolver) => {
    const { sender, signers, fromDomains } = found
    const verdicts = await Promise.all(fromDomains.map((domain) => checkFrom(domain, sender, signers, resolver)))
    const signer = bestOf(signers)
    const verdict = worstOf(verdicts)
    return {
      spf: { ...sender, domain: shown(sender.domain) },
      dkim: { ...signer, domain: shown(signer.domain), selector: shown(signer.selector) },
      dmarc: { ...verdict, domain: shown(verdict.domain) },
    }
  })
}

export interface Found {
  sender: CheckedSender
  signers: Signer[]
  /** As `readHeaderFacts` gives them. */
  fromDomains: string[]
}

type Resolver = (name: string, type: string) => Promise<string[]>

/**
 * Gives mailauth the DNS as far as it is known. Every failure to get an answer is a timeout to it, the one code that it
 * takes for a temporary error wherever it happens; others it passes over within an SPF include.
 */
async function step<Result>(answers: DnsAnswers, take: (resolver: Resolver) => Promise<Result>): Promise<Step<Result>> {
  const open = new Map<string, DnsQuestion>()
  const result = await take(async (name, type) => {
    const question = { name, type } as DnsQuestion
    const answer = answers.get(questionKey(question))
    if (answer?.kind === 'records') return answer.records as string[]
    if (!answer) open.set(questionKey(question), question)
    throw Object.assign(new Error('no records'), { code: answer?.kind === 'none' ? 'ENODATA' : 'ETIMEOUT' })
  })
  return { result, questions: [...open.values()] }
}

/** RFC 1035 2.3.4: no name is longer. What claims to be one is a stranger's text. */
const MAX_NAME_CHARS = 255

function shown(name: string | null): string | null {
  return name === null ? null : storableText(name.slice(0, MAX_NAME_CHARS))
}

export interface CheckedSender {
  result: SpfResult
  domain: string | null
}

async function checkSender(envelope: Envelope, resolver: Resolver): Promise<CheckedSender> {
  const { domain, status } = await spf({
    sender: envelope.sender,
    ip: envelope.clientAddress,
    helo: envelope.clientName,
    mta: 'localhost',
    resolver,
  })
  return { result: status.result as SpfResult, domain: domain === '-' ? null : domain }
}

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

async function checkFrom(
  domain: string,
  sender: CheckedSender,
  signers: Signer[],
  resolver: Resolver,
): Promise<Verdict> {
  const judge = (results: (SpfResult | DkimResult)[]) =>
    dmarc({
      headerFrom: [`@${domain}`],
      spfDomains: domainsWith(results, [sender]),
      dkimDomains: domainsWith(results, signers).map((signer, i) => ({ id: String(i), domain: signer })),
      resolver,
    })
  const verdict = await judge(['pass'])
  if (verdict === false) return { result: 'none', domain, policy: null }
  // RFC 7489 6.6.2: what might have passed, had the DNS answered, has not failed.
  const open = verdict.status.result === 'fail' ? await judge(['pass', 'temperror']) : false
  const result = open !== false && open.status.result !== 'fail' ? 'temperror' : verdict.status.result
  return { result: result as DmarcResult, domain, policy: policyOf(verdict.policy) }
}

function domainsWith(results: (SpfResult | DkimResult)[], proofs: (CheckedSender | Signer)[]): string[] {
  return proofs.filter(({ result }) => results.includes(result)).flatMap((proof) => proof.domain ?? [])
}

function policyOf(policy: string | undefined): DmarcPolicy | null {
  const given = policy?.trim().toLowerCase()
  return DMARC_POLICIES.find((known) => known === given) ?? null
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
