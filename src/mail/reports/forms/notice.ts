// The part of a bounce that the mail system wrote itself: what stands before the message that it returns. Pure.

/** Lines are looked at no further for what ends the notice. */
const MAX_LINE_CHARS = 200

/** Where the returned message begins. */
const COPY: readonly RegExp[] = [
  /^>?(?:Received|Return-Path): /i,
  /^[-=*_~|>#]{2}.*\b(?:original|origin|copy|returned|headers?|unsent|source|below|message (?:text|follows)|mensaje)\b/i,
  /^(?:here is|this is|included is|below is)? ?(?:a|the) (?:copy|summary) of\b/i,
  /^(?!.*\b(?:log|transcript)\b).*\b(?:message|mail|headers?|copy|lines?)(?: [\w ()]{0,40})? follows?\W*$/i,
  /^(?:old|original|returned|unsent) (?:message|mail) ?:?$/i,
  /^your message (?:reads|was as follows)\b/i,
  /^the first \d+ lines of\b/i,
]

/**
 * Each line without blanks around it and with single ones within, and one empty line where there are several. `text`:
 * with line feeds.
 */
export function noticeIn(text: string): string {
  const lines = text.split('\n').map((line) => line.trim().replace(/\s+/g, ' '))
  const end = lines.findIndex((line) => COPY.some((pattern) => pattern.test(line.slice(0, MAX_LINE_CHARS))))
  return (end === -1 ? lines : lines.slice(0, end))
    .filter((line, i, all) => line !== '' || (i > 0 && all[i - 1] !== ''))
    .join('\n')
}

const DELAY =
  /\bnot[ \n]yet[ \n]been[ \n](?:delivered|sent)|\b(?:has|have)[ \n]been[ \n](?:delayed|postponed|deferred)|\bwarning[ \n](?:message[ \n])?only|\bwill[ \n](?:be[ \n]retried|continue[ \n](?:to|trying|for)|keep[ \n]trying|try[ \n]again|retry)|(?<!\bno (?:further |more )?(?:delivery )?)\battempts[ \n]will\b|\bjust[ \n]a[ \n]warning|\bstill[ \n]trying/i

const DELAY_SUBJECT =
  /^(?:delayed\b|(?:mail |message )?delivery (?:is )?delay|delivery status notification \(delay\)|warning: message .{0,100}\bdelayed)/i

/** True when it says that the mail system goes on trying. */
export function saysDelayed(subject: string, notice: string): boolean {
  return DELAY_SUBJECT.test(subject) || DELAY.test(notice)
}

const ANSWER =
  /\bclick[ \n](?:on[ \n])?(?:the|this)[ \n](?:following[ \n]|above[ \n])?link|\bout[ \n]of[ \n](?:the[ \n])?office\b|\bauto(?:matic|mated)?[ -]?(?:reply|response)\b|(?<!not[ \n])\breply[ \n]to[ \n]this[ \n](?:message|e-?mail)[ \n]to\b|\bto[ \n](?:confirm|verify|prove)[ \n](?:that[ \n])?you\b/i

/** True of what somebody's program answers about itself, or asks the sender to do. */
export function saysAnswer(notice: string): boolean {
  return ANSWER.test(notice)
}
