// What whoever presses Send may have forgotten. Pure.
import type { DraftContent } from '../../../src/servers/webmail/draft-schemas.ts'

/** In several languages, as words begin. */
const SPEAKS_OF_FILES =
  /(?:^|[^\p{L}\p{N}])(?:attach(?:ed|ment|ing)|enclosed|im anhang|anbei|beigefügt|adjunt|ci-joint|pièce jointe|allegat|bijlage)/iu

export type Forgotten = 'subject' | 'attachment'

/** `text`: what the user wrote, without what is quoted. `files`: how many go along that the text does not show. */
export function forgottenIn(
  { subject, kind }: Pick<DraftContent, 'subject' | 'kind'>,
  text: string,
  files: number,
): Forgotten[] {
  const forgotten: Forgotten[] = []
  if (subject.trim() === '') forgotten.push('subject')
  if (files === 0 && kind !== 'forward' && SPEAKS_OF_FILES.test(text)) forgotten.push('attachment')
  return forgotten
}

export const FORGOTTEN_WORDS: Readonly<Record<Forgotten, string>> = {
  subject: 'This message has no subject.',
  attachment: 'The text speaks of an attachment, and there is none.',
}
