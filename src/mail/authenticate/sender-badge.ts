// What SPF, DKIM and DMARC say of a sender, as one badge in words. Pure.
import { domainToASCII } from 'node:url'
import type { Authentication } from './authentication.ts'

export const BADGE_KINDS = ['verified', 'unverified', 'failed', 'none'] as const

export interface SenderBadge {
  kind: (typeof BADGE_KINDS)[number]
  words: string
  /** What was found out, a sentence each. */
  details: string[]
}

/** `from`: the address that the message names as its sender. specification.md#what-the-webmail-says-of-a-sender */
export function senderBadge(authentication: Authentication, from: string | null): SenderBadge {
  const { spf, dkim, dmarc } = authentication
  const details = [
    `SPF: ${SPF_WORDS[spf.result]}${spf.domain === null ? '' : ` (${spf.domain})`}.`,
    `DKIM: ${DKIM_WORDS[dkim.result]}${dkim.domain === null ? '' : ` (${dkim.domain})`}.`,
    `DMARC: ${DMARC_WORDS[dmarc.result]}${dmarc.policy === null ? '' : `; the domain asks for “${dmarc.policy}” otherwise`}.`,
  ]
  const domain = domainOf(from)
  if (dmarc.result === 'fail') {
    const whom = domain === undefined ? 'somebody else' : domain
    return {
      kind: 'failed',
      words: `Pretends to be from ${whom}. Follow no link in it, open no file of it, and answer nothing.`,
      details,
    }
  }
  if (domain === undefined) return { kind: 'none', words: 'Names no sender.', details }
  if (dmarc.result === 'pass' || speaksFor(authentication, domain)) {
    return { kind: 'verified', words: `Really from ${domain}.`, details }
  }
  if (spf.result === 'none' && dkim.result === 'none' && dmarc.result === 'none') {
    return { kind: 'none', words: `Nothing says whether it is really from ${domain}.`, details }
  }
  return { kind: 'unverified', words: `Could not be verified to be from ${domain}.`, details }
}

/** Of a domain that publishes no DMARC policy: it has signed itself, or the host that sent it may send for it. */
function speaksFor({ spf, dkim, dmarc }: Authentication, domain: string): boolean {
  if (dmarc.result !== 'none') return false
  const isOf = (other: string | null) => other !== null && inAscii(other) === domain
  return (dkim.result === 'pass' && isOf(dkim.domain)) || (spf.result === 'pass' && isOf(spf.domain))
}

/** As it is in DNS: letters that look like others do not look like them here. */
function domainOf(address: string | null): string | undefined {
  const at = address?.lastIndexOf('@') ?? -1
  return at === -1 ? undefined : inAscii(address?.slice(at + 1) ?? '')
}

function inAscii(domain: string): string | undefined {
  return domainToASCII(domain.replace(/\.$/, '')).toLowerCase() || undefined
}

const SPF_WORDS: Record<Authentication['spf']['result'], string> = {
  pass: 'the host that sent it may send for the domain',
  fail: 'the host that sent it may not send for the domain',
  softfail: 'the host that sent it is probably none of the domain’s',
  neutral: 'the domain says nothing about the host that sent it',
  none: 'the domain does not say which hosts may send for it',
  temperror: 'could not be checked',
  permerror: 'what the domain publishes cannot be read',
}

const DKIM_WORDS: Record<Authentication['dkim']['result'], string> = {
  pass: 'the signature holds',
  fail: 'the signature does not hold',
  policy: 'the signature holds, yet covers too little or is too weak to count',
  neutral: 'the signature cannot be judged',
  none: 'it is not signed',
  temperror: 'could not be checked',
  permerror: 'the signature cannot be judged',
}

const DMARC_WORDS: Record<Authentication['dmarc']['result'], string> = {
  pass: 'the domain in From stands for it',
  fail: 'the domain in From does not stand for it',
  none: 'the domain in From publishes no policy',
  temperror: 'could not be checked',
  permerror: 'what the domain publishes cannot be read',
}
