// What SPF, DKIM and DMARC say of a received message, and where that puts it. Types and a pure decision; knows
// nothing of how it is found out.

/** RFC 8601 2.7.2. */
export const SPF_RESULTS = ['none', 'neutral', 'pass', 'fail', 'softfail', 'temperror', 'permerror'] as const
export type SpfResult = (typeof SPF_RESULTS)[number]
/** RFC 8601 2.7.1. `policy`: a valid signature that we do not count, for it covers too little or is too weak. */
export const DKIM_RESULTS = ['none', 'pass', 'fail', 'policy', 'neutral', 'temperror', 'permerror'] as const
export type DkimResult = (typeof DKIM_RESULTS)[number]
/** RFC 7489 11.2. */
export const DMARC_RESULTS = ['none', 'pass', 'fail', 'temperror', 'permerror'] as const
export type DmarcResult = (typeof DMARC_RESULTS)[number]
export const DMARC_POLICIES = ['none', 'quarantine', 'reject'] as const
export type DmarcPolicy = (typeof DMARC_POLICIES)[number]

/** Who signed, and whether the signature holds. */
export interface Signer {
  result: DkimResult
  domain: string | null
  selector: string | null
}

export const UNSIGNED: Signer = { result: 'none', domain: null, selector: null }
/** Its signatures cannot be judged. */
export const UNVERIFIABLE: Signer = { result: 'permerror', domain: null, selector: null }

/** `authentication` of a message's detail. */
export interface Authentication {
  /** Whether the sending host may use the envelope sender's domain. */
  spf: { result: SpfResult; domain: string | null }
  /** The best of the signatures. */
  dkim: Signer
  /** Whether either of them speaks for the domain in From, and what that domain wants done otherwise. */
  dmarc: { result: DmarcResult; domain: string | null; policy: DmarcPolicy | null }
}

/** When nothing could be found out. */
export const UNKNOWN_AUTHENTICATION: Authentication = {
  spf: { result: 'temperror', domain: null },
  dkim: { result: 'temperror', domain: null, selector: null },
  dmarc: { result: 'temperror', domain: null, policy: null },
}

/** DMARC fail under p=reject or quarantine goes to spam; all else is delivered. specification.md#authentication-of-mail */
export function folderFor({ dmarc }: Authentication): 'inbox' | 'spam' {
  return dmarc.result === 'fail' && (dmarc.policy === 'reject' || dmarc.policy === 'quarantine') ? 'spam' : 'inbox'
}
