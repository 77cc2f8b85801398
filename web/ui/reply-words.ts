// What the answers of mail servers mean, in words. Pure.

/** What was said of a recipient. */
export interface Reply {
  smtpCode: number | null
  /** Enhanced status code (RFC 3463). */
  enhancedCode: string | null
  text: string | null
}

/** By subject and detail of an enhanced status code: RFC 3463, 5248, 6710, 7372, 7504. */
const MEANINGS: Readonly<Record<string, string>> = {
  '1.0': 'Bad address',
  '1.1': 'Mailbox does not exist',
  '1.2': 'Domain does not exist',
  '1.3': 'The address is not well-formed',
  '1.4': 'The address means more than one mailbox',
  '1.6': 'The mailbox has moved',
  '1.7': 'The address of the sender is not accepted',
  '1.8': 'The domain of the sender is not accepted',
  '1.10': 'The domain takes no mail',
  '2.0': 'The mailbox cannot take it',
  '2.1': 'Mailbox is disabled',
  '2.2': 'Mailbox is full',
  '2.3': 'Too large for the mailbox',
  '2.4': 'The mailing list cannot be reached',
  '3.0': 'Their server cannot take it',
  '3.1': 'Their server is full',
  '3.2': 'Their server takes no mail now',
  '3.4': 'Too large for their server',
  '4.0': 'Their server cannot be reached',
  '4.1': 'Their server does not answer',
  '4.2': 'The connection was lost',
  '4.3': 'Their server cannot be looked up',
  '4.4': 'No route to their server',
  '4.5': 'Their server is overloaded',
  '4.6': 'Mail loop: the message came back to the same server',
  '4.7': 'It took too long and was given up',
  '5.0': 'Their server did not follow the protocol',
  '5.1': 'Their server does not know the command',
  '5.2': 'Their server refused a command',
  '5.3': 'Too many recipients',
  '6.0': 'What is in the message is not accepted',
  '6.1': 'The kind of content is not accepted',
  '6.7': 'Their server takes no addresses beyond ASCII',
  '7.0': 'Refused for security',
  '7.1': 'Refused by their policy',
  '7.8': 'The relay did not accept our credentials',
  '7.20': 'The DKIM signature did not pass',
  '7.21': 'The DKIM signature is not accepted',
  '7.23': 'SPF did not pass',
  '7.24': 'SPF could not be checked',
  '7.25': 'The reverse DNS name did not pass',
  '7.26': 'Neither SPF nor DKIM passed',
  '7.27': 'The domain of the sender takes no mail',
  '7.28': 'Too much mail at once',
}

/** The same where it is put off (class 4). */
const PASSING: Readonly<Record<string, string>> = {
  '1.1': 'The mailbox cannot be found now',
  '1.2': 'The domain cannot be found now',
  '2.1': 'The mailbox takes no mail now',
  '7.0': 'Deferred for security',
  '7.1': 'Deferred by their policy',
}

/** Where there is no enhanced code (RFC 5321 section 4.2.3). */
const CODES: Readonly<Record<number, string>> = {
  421: 'Their server is not available now',
  450: 'The mailbox is not available now',
  451: 'Their server had an error',
  452: 'Their server has no room now',
  521: 'The host takes no mail',
  530: 'The relay asks for credentials',
  535: 'The relay did not accept our credentials',
  550: 'Refused',
  551: 'The mailbox is not there',
  552: 'Too large, or the mailbox is full',
  553: 'The address is not accepted',
  554: 'Refused',
  556: 'The domain takes no mail',
}

/** Of what is the service's own: it has no code. */
const OWN: readonly (readonly [beginning: string, meaning: string])[] = [
  ['cancelled', 'Cancelled'],
  ['suppressed', 'Mail to the address is stopped'],
  ['gave up', 'Given up'],
]

/** What an answer means; undefined when it says nothing that is known. */
export function meaningOf({ smtpCode, enhancedCode, text }: Reply): string | undefined {
  const [, about = '', permanent = ''] = /^([245])\.(\d{1,3}\.\d{1,3})$/.exec(enhancedCode ?? '') ?? []
  if (about === '2' || (smtpCode !== null && smtpCode < 400)) return undefined
  const known =
    (about === '4' ? PASSING[permanent] : undefined) ??
    MEANINGS[permanent] ??
    (smtpCode === null ? undefined : CODES[smtpCode])
  if (known !== undefined || smtpCode !== null || enhancedCode !== null) return known
  return OWN.find(([beginning]) => text?.startsWith(beginning))?.[1]
}

/** In a line: the meaning with its code, or else what was said; undefined when nothing was. */
export function reasonOf(reply: Reply): string | undefined {
  const code = reply.enhancedCode ?? reply.smtpCode
  const meaning = meaningOf(reply)
  if (meaning !== undefined) return code === null ? meaning : `${meaning} (${code})`
  return saidBy(reply)
}

/** As the server said it, with its codes; undefined when it said nothing. */
export function saidBy({ smtpCode, enhancedCode, text }: Reply): string | undefined {
  // The words of some come with their codes.
  if (text && smtpCode !== null && text.startsWith(String(smtpCode))) return text
  const words = [smtpCode, enhancedCode, text].filter((part) => part !== null && part !== '')
  return words.length > 0 ? words.join(' ') : undefined
}
