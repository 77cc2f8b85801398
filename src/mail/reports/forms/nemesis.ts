// The frame of the bounces of GMX and 1&1, which run the same software, Nemesis: the words of Exim before, and a line of
// its own behind. Pure.

const OPENING = 'This message was created automatically by mail delivery software.'
const FIRST = /\bfollowing address(?:\(es\))?\s+failed:/
const END = /^--- The header of the original message is following\. ---/m

/** The lines that name recipients and say why; none when the text is in another form. */
export function noticeLines(text: string): string[] {
  const end = END.exec(text)?.index
  if (end === undefined || !text.startsWith(OPENING)) return []
  const notice = text.slice(0, end)
  const first = FIRST.exec(notice)
  return first ? notice.slice(first.index + first[0].length).split('\n') : []
}
