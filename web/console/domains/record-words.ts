// What a record is for, how the latest check left it, and what to do about it, in words. Pure.
import type { ShownDomain, ShownRecord } from '../../../src/servers/console/domain-schemas.ts'
import type { Tone } from '../../ui/badge.tsx'

type Purpose = ShownRecord['purpose']

const PURPOSES: Readonly<Record<Purpose, { title: string; does: string }>> = {
  verification: { title: 'Ownership', does: 'Proves that the domain is yours. Publish it as it is.' },
  dkim: { title: 'DKIM', does: 'The key that signs its mail. Publish it as it is.' },
  spf: { title: 'SPF', does: 'Who may send for it. Add what your relay asks for, in the same record.' },
  mx: { title: 'MX', does: 'Where its mail goes. Name the host that receives it here.' },
  dmarc: {
    title: 'DMARC',
    does: 'What receivers do with mail that passes neither SPF nor DKIM. Tighten it once everything passes.',
  },
}

export const titleOf = (purpose: Purpose): string => PURPOSES[purpose].title
export const whatFor = (purpose: Purpose): string => PURPOSES[purpose].does

/** In a badge. */
export function stateOf(
  { purpose, check }: Pick<ShownRecord, 'purpose' | 'check'>,
  { vouched }: Pick<ShownDomain, 'vouched'>,
): { words: string; tone: Tone } {
  if (check?.status === 'pass') return { words: 'Found', tone: 'good' }
  if (purpose === 'verification' && vouched) return { words: 'Not needed', tone: 'neutral' }
  switch (check?.status) {
    case 'missing':
      return { words: 'Missing', tone: 'bad' }
    case 'wrong':
      return { words: 'Wrong', tone: 'bad' }
    case 'error':
      return { words: 'No answer', tone: 'warn' }
    default:
      return { words: 'Not checked yet', tone: 'neutral' }
  }
}

/** What is wrong with it and what to do; undefined where there is nothing to say. */
export function adviceOn({ purpose, name, type, check }: Omit<ShownRecord, 'zoneLine'>): string | undefined {
  const title = titleOf(purpose)
  switch (check?.fault) {
    case 'nothing':
      return `There is no ${type} record at this name. Publish it; it can take a while until it is seen everywhere.`
    case 'others':
      return `There are ${type} records at ${name}, and none of them is the ${title} record. Publish it beside them.`
    case 'alias':
      return `${name} is an alias (CNAME) of ${check.alias}, and what is published there is not this record. Remove the alias, then publish the record.`
    case 'several':
      return `There are ${check.found.length} ${title} records, and receivers take more than one for none. Leave a single one, with all that you need in it.`
    case 'quoted':
      return 'Quotes are part of the value that is published. Enter it without them: they belong in zone files alone.'
    case 'another_key':
      return wasCut(check)
        ? 'The value that is published ends too early: it was cut off. Enter all of it; where the DNS host takes 255 characters at once, as several strings of the same record.'
        : 'Another key is published here, so that signatures of its mail do not verify. Publish this one in its place.'
    case 'revoked_key':
      return 'The record has no key in it (an empty p=), which revokes the key. Publish the value as it is.'
    case 'another_algorithm':
      return 'The record names another version or algorithm than the key has. Publish the value as it is.'
    case 'another_token':
      return 'Another value is published here, as of a domain that was added before. Publish this one, beside it or in its place.'
    case 'taken':
      return 'The record is right, and the domain belongs to another tenant of this service, which proved it first. Ask whoever runs the service when it is yours.'
    case 'allows_everyone':
      return 'The record lets everyone send for the domain (+all), which protects nothing. End it with ~all or -all.'
    case 'no_policy':
      return 'The record has no policy. Add p=none, p=quarantine or p=reject.'
    case 'takes_no_mail':
      return 'The record says that the domain takes no mail at all. Name the host that receives it.'
    case 'no_key':
      return 'The domain has no key yet. Ask whoever runs the service.'
    case 'no_answer':
      return 'The DNS did not answer, which says nothing about the record. It is checked again automatically in ten minutes.'
    default:
      return undefined
  }
}

/** What is published begins as it should, and ends before it should. */
function wasCut({ found: [record = ''], expected }: NonNullable<ShownRecord['check']>): boolean {
  const published = record.replaceAll(/\s/g, '')
  return published.length < expected.length && expected.replaceAll(/\s/g, '').startsWith(published)
}
