// The DNS records that a new domain asks for. Knows nothing of how they are checked.
import type { DkimKey } from './dkim-key.ts'
import { verificationRecord } from './domain-checks.ts'

/** A record the domain's owner puts into the DNS. */
export interface DnsRecord {
  type: 'TXT' | 'MX'
  name: string
  value: string
  /** What it is for; each has its check in `mdk domain check`. */
  purpose: 'verification' | 'dkim' | 'spf' | 'mx' | 'dmarc'
}

/**
 * Verification and DKIM are needed as they are. The others begin carefully and are the owner's to adapt: SPF names
 * the domain's own mail hosts, to which the relay's own advice is added; MX names a host that is to lead to the
 * inbound listener; DMARC asks nobody to refuse anything.
 */
export function recordsFor(domain: string, verificationToken: string, dkim: PublishedKey | null): DnsRecord[] {
  return [
    { type: 'TXT', name: `_mdk.${domain}`, value: verificationRecord({ verificationToken }), purpose: 'verification' },
    ...(dkim ? [dkimRecord(domain, dkim)] : []),
    { type: 'TXT', name: domain, value: 'v=spf1 mx ~all', purpose: 'spf' },
    { type: 'MX', name: domain, value: `10 mail.${domain}`, purpose: 'mx' },
    { type: 'TXT', name: `_dmarc.${domain}`, value: 'v=DMARC1; p=none', purpose: 'dmarc' },
  ]
}

type PublishedKey = Pick<DkimKey, 'selector' | 'publicKey'>

/** RFC 6376 3.6.1. Longer than 255 characters: DNS tools cut it into strings themselves. */
export function dkimRecord(domain: string, key: PublishedKey): DnsRecord {
  return {
    type: 'TXT',
    name: `${key.selector}._domainkey.${domain}`,
    value: `v=DKIM1; k=rsa; p=${key.publicKey}`,
    purpose: 'dkim',
  }
}
