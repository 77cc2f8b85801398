// The DragonFly Mail Agent: one recipient, and the reason up to fixed words. Pure.
import { isAddress } from '../reported-address.ts'
import { type Form, failure } from './form.ts'

const NOTICE =
  /^This is the DragonFly Mail Agent [^\n]{1,300}\n\s*There was an error delivering your mail to <([^<>\n]*)>\./
const END = /^(?:Message headers|Original message) follows?\.$/m

export const readDragonfly: Form = ({ text }) => {
  const [notice = '', address = ''] = NOTICE.exec(text) ?? []
  if (!isAddress(address)) return []
  const [reason = ''] = text.slice(notice.length).split(END, 1)
  return [failure(address, [reason])]
}
