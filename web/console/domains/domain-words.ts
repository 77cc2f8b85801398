// How a domain stands, in words. Pure.
import type { ShownDomain } from '../../../src/servers/console/domain-schemas.ts'
import type { Tone } from '../../ui/badge.tsx'

type Standing = Pick<ShownDomain, 'health' | 'verified'>

const HEALTHS: Readonly<Record<ShownDomain['health'], { words: string; tone: Tone }>> = {
  pending: { words: 'Not checked yet', tone: 'neutral' },
  healthy: { words: 'Healthy', tone: 'good' },
  degraded: { words: 'Degraded', tone: 'warn' },
  failing: { words: 'Failing', tone: 'bad' },
}

/** In a badge. */
export const healthOf = ({ health }: Pick<Standing, 'health'>) => HEALTHS[health]

/** What that means, and what to do. */
export function meaningOf({ health, verified }: Standing): string {
  if (!verified) {
    return 'It is not known yet that this domain is yours. Publish the records below where its DNS is kept: as soon as the one of ownership is found, mailboxes can be made on it.'
  }
  switch (health) {
    case 'pending':
      return 'Its records have not been looked for yet, or the DNS has not answered yet.'
    case 'healthy':
      return 'All is in place: its mail is signed, and receivers can tell who may send for it.'
    case 'degraded':
      return 'Its mail goes out, and some records are missing or wrong: receivers trust it less than they could.'
    case 'failing':
      return 'Mail from it may be refused or taken for spam: receivers cannot tell that it is yours.'
  }
}
