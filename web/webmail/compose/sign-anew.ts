// The signature of a draft that is written from another mailbox now.
import type { OpenDraft } from '../drafts/draft-store.ts'
import { signatureOf, signed } from './begin-draft.ts'

/** As the editor leaves it. */
const DELIMITER = /<div>--(?:\s|&nbsp;)?<\/div>/g

/** The signature goes with the mailbox that it is written from, unless somebody has changed it. `former`: the mailbox before. */
export async function signAnew(draft: OpenDraft, former: string): Promise<void> {
  const { mailboxId } = draft.content.peek()
  const [before, now] = await Promise.all([signatureOf(former), signatureOf(mailboxId)])
  const content = draft.content.peek()
  if (content.mailboxId !== mailboxId || content.format !== 'html' || before === now) return
  const unsigned = withoutSignature(content.body, before)
  if (unsigned !== undefined) draft.change({ body: unsigned + signed(now) })
}

/** Undefined where it does not end with that. */
function withoutSignature(body: string, signature: string | null): string | undefined {
  if (signed(signature) === '') return body
  const last = [...body.matchAll(DELIMITER)].at(-1)
  if (!last || body.slice(last.index + last[0].length) !== signature) return undefined
  return body.slice(0, last.index).replace(/<div><br><\/div>$/, '')
}
