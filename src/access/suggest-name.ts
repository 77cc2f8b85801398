// Which name somebody most likely meant who wrote one that is not known. Pure.

/** By our names: what other mail APIs call the same, in small letters without anything between them, and what differs. */
const OTHER_NAMES: readonly (readonly [ours: string, theirs: string, remark?: string])[] = [
  ['fromMailboxId', 'from sender fromemail fromaddress fromid mailbox mailboxid', 'It takes the id of a mailbox.'],
  [
    'fromMailboxId',
    'replyto replytos replytoaddresses replytorecipients',
    'Replies go to the address of that mailbox.',
  ],
  ['to', 'recipient recipients torecipients toaddress toaddresses toemail toemails destination destinations'],
  ['cc', 'ccrecipients ccaddresses carboncopy'],
  ['bcc', 'bccrecipients bccaddresses blindcarboncopy'],
  ['subject', 'title headline'],
  ['text', 'body textbody bodytext plain plaintext bodyplain textcontent content message'],
  ['html', 'htmlbody bodyhtml htmlcontent'],
  ['attachmentIds', 'attachments attachment files file', 'Upload each file first, then name its id.'],
  ['isRead', 'read seen unread isunread markasread'],
  ['isStarred', 'starred star flagged isflagged important'],
  ['folder', 'label labels labelids addlabelids folderid trashed archived'],
  ['filename', 'name'],
  ['mediaType', 'contenttype mimetype mime type'],
  ['sizeBytes', 'size length contentlength filesize bytes'],
  ['sha256', 'digest checksum hash sha'],
  ['contentBase64', 'content data base64 body file'],
  ['url', 'endpoint target targeturl callback callbackurl webhook webhookurl uri'],
  ['eventTypes', 'events event types enabledevents topics subscriptions'],
  ['enabled', 'active status state disabled isactive isenabled'],
  ['description', 'name label title'],
  ['limit', 'pagesize perpage maxresults count size top'],
  ['cursor', 'page pagetoken offset skip startingafter nextcursor nextpagetoken'],
  ['since', 'after from start startdate begin createdafter', 'It takes an instant.'],
  ['cursor', 'since after from start startdate begin createdafter', 'It takes an instant too.'],
  ['recipient', 'to email emailaddress toaddress', 'An instant goes into until.'],
  ['until', 'before end enddate createdbefore'],
  ['type', 'eventtype eventtypes event kind topic'],
  ['resourceId', 'messageid mailboxid domainid objectid subjectid'],
]

/** Ours, and what differs, by what others call it. */
const BY_OTHER_NAME = new Map<string, Suggestion[]>()
for (const [name, theirs, remark] of OTHER_NAMES) {
  for (const other of theirs.split(' ')) {
    const suggestion = remark === undefined ? { name } : { name, remark }
    BY_OTHER_NAME.set(other, [...(BY_OTHER_NAME.get(other) ?? []), suggestion])
  }
}

/** No name of ours has half of it. */
const MOST_CHARACTERS = 40

export interface Suggestion {
  name: string
  /** What differs from the name that was given; a sentence. */
  remark?: string
}

/** Of the names that are known, the one that `name` is a spelling of, or that others call so. */
export function suggestName(name: string, known: readonly string[]): Suggestion | undefined {
  if (name.length > MOST_CHARACTERS) return undefined
  const given = plain(name)
  const same = known.find((each) => plain(each) === given)
  if (same !== undefined) return { name: same }
  const other = BY_OTHER_NAME.get(given)?.find(({ name: ours }) => known.includes(ours))
  if (other) return other
  const like = known.find((each) => isMistyped(given, plain(each)))
  return like === undefined ? undefined : { name: like }
}

/** `is_read`, `IsRead` and `is-read` are one. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** One slip in a short name, two in a longer one; of the shortest names any other is a slip away. */
function isMistyped(given: string, meant: string): boolean {
  const slips = meant.length < 3 ? 0 : meant.length < 6 ? 1 : 2
  return Math.abs(given.length - meant.length) <= slips && distance(given, meant) <= slips
}

/** How many letters are to be added, left out, replaced or exchanged with their neighbour (optimal string alignment). */
function distance(one: string, other: string): number {
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, j) => j)
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const replaced = at(last, j - 1) + (one[i - 1] === other[j - 1] ? 0 : 1)
      const isExchange = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const exchanged = isExchange ? at(before, j - 2) + 1 : Number.POSITIVE_INFINITY
      row.push(Math.min(at(last, j) + 1, at(row, j - 1) + 1, replaced, exchanged))
    }
    before = last
    last = row
  }
  return at(last, other.length)
}

function at(row: readonly number[], place: number): number {
  return row[place] as number
}
