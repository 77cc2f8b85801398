// The words by which mail systems without a form of their own say whom a mail did not reach. Pure. A blank in them is any
// single blank or line break. What repeats in them is bounded, so that
// one look is enough.

const NOUN =
  '(?: (?:all|some|one or more|of|the|this|these|your|its|following|intended|local|e-?mail)){0,6} (?:user|recipient|address|mailbox|account|destination)(?:e?s|\\(e?s\\))?'

/** `to`, or whom. */
const WHOM = `(?: (?:to|for)(?:${NOUN}| the following)?|${NOUN})`

const MESSAGE = '(?: (?:the|your|this|a|following|attached|e-?mail|mail|message|copy|of)){0,6}'

/** They lead to an address or a list of some. */
const LEADS: readonly string[] = [
  `(?:\\b(?:can)?not|n['’]t)(?: yet)?(?: be| been)? (?:delivered|sent|forwarded)${WHOM}`,
  `\\b(?:unable to|not able to|wasn't able to|could not|cannot|failed to) (?:deliver|send|forward)${MESSAGE}${WHOM}`,
  `\\bundeliver(?:able|ed)(?: mail)?${WHOM}`,
  `\\bdid not reach${WHOM}`,
  '\\b(?:recipient|address|user)(?:e?s|\\(e?s\\))? did not receive(?: a copy of)? your message',
  '\\b(?:recipient|address|user)(?:e?s|\\(e?s\\))? could not be reached',
  '\\b(?:recipient|address|user)(?:e?s|\\(e?s\\))? (?:failed|was aborted|has been delayed)(?: permanently)?(?: after [\\d.]{1,9} hour\\(?s\\)?)?',
  '\\bnot yet been delivered is',
  '\\bdelivery of email to this address',
  '\\baddressed to email address',
  '\\ban undisclosed address \\(generated from',
  '\\bthe number of attempts made: \\d{1,5} addressed to',
  '\\brejected recipient',
  '\\buser not listed in public name & address book',
  "\\bwasn't able to deliver the following message\\. this is a permanent error; i've given up\\. sorry it didn't work out\\.\\s{1,2}subject: [^\\n]{0,300} to",
  "\\bn'a pas (?:pu )?(?:être |etre )?(?:délivrée?|delivree?|remise?|distribuée?) (?:à|a|aux?)(?: (?:destinataire|adresse)s?(?: suivante?s?)?)?",
  '\\bno (?:ha podido|pudo|se pudo|se ha podido)(?: ser)? entreg(?:ad[oa]|ar) al?(?: (?:los )?siguientes? (?:destinatario|dirección|direccion)(?:e?s)?)?',
  '\\bnon (?:è stato )?(?:possibile )?(?:consegnare|consegnato|recapitare|recapitato)(?: il messaggio)? (?:al?|ai)(?: (?:destinatari[oa]?|seguent[ei])){0,4}',
]

/** A colon stands between them and the address, and nothing else. */
const LABELS: readonly string[] = [
  '\\bundeliverable(?: mail| address(?:es)?)?',
  '\\bdelivery failed(?: \\d{1,3} attempts)?',
  '\\byour message\\x20to',
  '\\bmailbox is full',
  '\\buser mailbox exceeds allowed size',
  '\\b(?:unknown user|user unknown|no such user|invalid final delivery userid)',
  '\\bfailed recipient(?:s|\\(s\\))?',
  '^error-for',
  '^\\|?-{2,80} ?failed addresses follow',
  '\\bkonnte(?: leider)? nicht zugestellt werden',
]

/** What stands behind the address. */
const BEHIND: readonly string[] = [
  ',? (?:was automatically rejected|(?:has|was|could|can) ?(?:not|n.t) (?:yet )?(?:be |been )?delivered|has been (?:postponed|delayed))',
  "[,.:]?(?: -| is)? (?:that's )?(?:not a valid user|no such user|user unknown|unknown user|user not found)",
  '(?:: 5\\d\\d| ?\\.\\.\\.) (?:user unknown|unknown user|no such user|unknown host|host unknown)',
  ' (?:does not|doesn.t) exist\\b',
  ' is unavailable: user not found',
  ',? failed because',
  '\\.?\\n\\nuser (?:not known|unknown)',
  ', but this email address is (?:wrong|no longer valid)',
  ', did not exactly match an? ',
  '\\n\\nthe following mail has been returned',
  ' konnte(?: leider)? nicht zugestellt werden',
  " n'a pas pu (?:être|etre) (?:délivré|delivre|remis)",
]

/** Where one begins, so that a part of it is none. */
const ADDRESS =
  '(?<![^\\s"\'<>()[\\]:;,|])[^\\s@"\'<>()[\\]:;,|]{1,64}@[^\\s@"\'<>()[\\]:;,|/]{0,254}[^\\s@"\'<>()[\\]:;,|/.]'
/** Nor is it whoever sent the message, or helps. */
const NOT_SENDER = `(?<!\\b(?:from|by|contact|sender|sender address|domain of|verif(?:y|ication) failed for|return path|von|de|par)[ \\n:]{1,2}["'<]?)`
const MARK = '(?:[*>-]{1,2} )?'
const OPEN = `(?:(?:failed )?recipient(?: address)?: )?(?:"[^"\\n]{0,100}" )?["'<([]{0,2}(?:SMTP:)?`
const CLOSE = '["\'>)\\]]{0,2}'

/**
 * A full stop and an empty line may come before a list, which is announced. Otherwise they come before a signature.
 */
const END = '(?:(?<=\\b(?:following[^.:]{0,80}|to|for|this[ \\n]address))\\.? ?:?[ \\n]{0,2}| ?:[ \\n]{0,2}|[ \\n])'

/** The address is the first of its groups that is there. */
export const FAILED_ADDRESS = new RegExp(
  [
    `(?:${patternOf(LEADS)})${END}${MARK}${OPEN}(${ADDRESS})${CLOSE}`,
    `(?:${patternOf(LABELS)}) ?:[-|=*]{0,80}[ \\n]{0,2}${MARK}${OPEN}(${ADDRESS})${CLOSE}`,
    `\\b(?:invalid recipient|unknown user|user unknown|no such user) <?(${ADDRESS})`,
    `${NOT_SENDER}(${ADDRESS})${CLOSE}(?:${patternOf(BEHIND)})`,
  ].join('|'),
  'gim',
)

/** One more of a list: a line that begins with an address, and has nothing but a reason behind it. */
export const LISTED_ADDRESS = new RegExp(`^${MARK}${OPEN}(${ADDRESS})${CLOSE}(?:\\.?$|:| \\(| \\.\\.\\.)`, 'i')

function patternOf(words: readonly string[]): string {
  return words.join('|').replaceAll(' ', '[ \\n]')
}
