// The DNS records of a domain for whoever publishes them: by a web form, or in a zone file.
import type { DnsRecord } from '../mailboxes/dns-records.ts'
import { zoneLine } from '../mailboxes/zone-line.ts'

const PURPOSES: Record<DnsRecord['purpose'], string> = {
  verification: 'Proves that the domain is yours. Publish it as it is.',
  dkim: 'The key that signs its mail (DKIM). Publish it as it is.',
  spf: 'Who may send for it (SPF). Add what your relay asks for.',
  mx: 'Where its mail goes. Name the host of the inbound listener.',
  dmarc: 'What to do with mail that passes neither (DMARC). Sharpen it when all is well.',
}

/** A block for each record. The last line, which begins at its margin, is that of a zone file. */
export function recordBlocks(records: readonly DnsRecord[]): string {
  return records.map(blockOf).join('\n\n')
}

function blockOf(record: DnsRecord): string {
  return [
    PURPOSES[record.purpose],
    `  Type   ${record.type}`,
    `  Name   ${record.name}`,
    `  Value  ${record.value}`,
    '  In a zone file:',
    zoneLine(record),
  ].join('\n')
}
