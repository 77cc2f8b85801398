// The words of a notice: a subject, plain text, and the same as simple HTML. Pure. Whatever others have chosen – names, hosts,
// user agents – is text on one line in each of them, and not very long.
import type { Timestamp } from '../lib/sql.ts'
import type { Notice, OwnerNotice } from './notice.ts'

export interface NoticeText {
  subject: string
  text: string
  html: string
}

export interface NoticeContext {
  tenantName: string
  userKind: 'person' | 'mailbox_user'
  /** Where its link leads: of the console or, for mailbox users, of the webmail. */
  link: string
}

/** A subject, and paragraphs that are text, or the link alone. */
interface Words {
  subject: string
  paragraphs: (string | typeof LINK)[]
}

const LINK = Symbol('link')
const MOST_NAME_CHARACTERS = 80
const MOST_AGENT_CHARACTERS = 200

export function noticeText(notice: Notice, context: NoticeContext): NoticeText {
  const tenant = `“${oneLine(context.tenantName, MOST_NAME_CHARACTERS)}”`
  const { subject, paragraphs } = wordsOf(notice, context, tenant)
  return {
    subject,
    text: `${paragraphs.map((words) => (words === LINK ? context.link : words)).join('\n\n')}\n`,
    html: htmlOf(subject, paragraphs, context.link),
  }
}

function wordsOf(notice: Notice, { userKind }: NoticeContext, tenant: string): Words {
  switch (notice.kind) {
    case 'invitation': {
      const what =
        userKind === 'person'
          ? `You are invited to the console of ${tenant}, where its mail and webhooks are looked after.`
          : `You are invited to read mail of ${tenant} in the webmail.`
      return {
        subject: `Invitation to ${tenant}`,
        paragraphs: [what, 'Open this link to accept:', LINK, goodUntil(notice.facts.expiresAt), UNEXPECTED],
      }
    }
    case 'reset':
    case 'recovery_reset':
      return {
        subject: `Your sign-in to ${tenant}`,
        paragraphs: [
          `A new password for your sign-in to ${tenant} was asked for. Open this link to choose it:`,
          LINK,
          goodUntil(notice.facts.expiresAt),
          'Until the link is used nothing changes.',
          UNEXPECTED,
        ],
      }
    case 'recovery_address':
      return {
        subject: `Confirm your recovery address for ${tenant}`,
        paragraphs: [
          `Somebody who reads mail of ${tenant} in the webmail named this address for the day on which they cannot sign in. Links to set a new password will be mailed here. Open this link to confirm it:`,
          LINK,
          goodUntil(notice.facts.expiresAt),
          UNEXPECTED,
        ],
      }
    default:
      return ownerWords(notice, tenant)
  }
}

const UNEXPECTED = 'If you did not expect this, you can ignore it.'
const goodUntil = (expiresAt: Timestamp) => `The link works once, until ${instant(expiresAt)}.`

function ownerWords(notice: OwnerNotice, tenant: string): Words {
  const { subject, paragraphs } = wordsForOwner(notice, tenant)
  const footer = `You are told this as an Owner of ${tenant}. You can turn notices off in the console, in your account.`
  return { subject, paragraphs: [...paragraphs, LINK, footer] }
}

function wordsForOwner(notice: OwnerNotice, tenant: string): Words {
  switch (notice.kind) {
    case 'new_sign_in': {
      const { at, clientAddress, userAgent } = notice.facts
      return {
        subject: `New sign-in to ${tenant}`,
        paragraphs: [
          'You have signed in from a device or a network that was not seen in the last 90 days.',
          `When: ${instant(at)}\nFrom: ${oneLine(clientAddress, MOST_NAME_CHARACTERS)}\nBrowser: ${oneLine(userAgent ?? 'not said', MOST_AGENT_CHARACTERS)}`,
          'If this was not you, sign in, end all other sessions, and set a new password:',
        ],
      }
    }
    case 'endpoint_failing': {
      const host = oneLine(notice.facts.host, MOST_NAME_CHARACTERS)
      return {
        subject: `The webhook endpoint at ${host} is failing`,
        paragraphs: [
          `Every attempt to deliver events of ${tenant} to the webhook endpoint at ${host} has failed since ${instant(notice.facts.since)}.`,
          'If it goes on failing it will be disabled. Each attempt and its error is in the console:',
        ],
      }
    }
    case 'endpoint_disabled': {
      const host = oneLine(notice.facts.host, MOST_NAME_CHARACTERS)
      return {
        subject: `The webhook endpoint at ${host} was disabled`,
        paragraphs: [
          `The webhook endpoint at ${host} of ${tenant} was disabled, as every attempt to deliver to it has failed since ${instant(notice.facts.since)}.`,
          'Nothing is delivered to it until it is enabled again. What failed can be replayed then:',
        ],
      }
    }
    case 'domain_failing': {
      const domain = oneLine(notice.facts.domain, MOST_NAME_CHARACTERS)
      return {
        subject: `The domain ${domain} is failing`,
        paragraphs: [
          `DNS records of the domain ${domain} of ${tenant} are missing or wrong. Mail from it may be refused or taken for spam.`,
          'Which records, and what was found instead, is in the console:',
        ],
      }
    }
    case 'plan_80':
      return {
        subject: `80 % of the plan of ${tenant} is used`,
        paragraphs: [usage(notice.facts, tenant), 'When all are used up, mail is refused until the next month:'],
      }
    case 'plan_100':
      return {
        subject: `The plan of ${tenant} is used up`,
        paragraphs: [
          usage(notice.facts, tenant),
          'Mail is refused until the next month begins (UTC), or the plan grows:',
        ],
      }
  }
}

function usage({ month, recipients, limit }: { month: string; recipients: number; limit: number }, tenant: string) {
  return `${tenant} has sent to ${recipients} recipients in ${month}, of the ${limit} that its plan allows in a month.`
}

/** `2026-11-22 20:30 UTC` */
function instant(at: Timestamp): string {
  return `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`
}

/** Without control characters, and such as turn the direction of text around. */
function oneLine(text: string, most: number): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
  return line.length > most ? `${line.slice(0, most).toWellFormed()}…` : line
}

function htmlOf(subject: string, paragraphs: Words['paragraphs'], link: string): string {
  const body = paragraphs.map((words) => {
    if (words === LINK) return `<p><a href="${escaped(link)}">${escaped(link)}</a></p>`
    return `<p>${escaped(words as string).replaceAll('\n', '<br>')}</p>`
  })
  const head = `<meta charset="utf-8"><title>${escaped(subject)}</title>`
  return `<!doctype html>\n<html lang="en"><head>${head}</head><body>\n${body.join('\n')}\n</body></html>\n`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string)
}
