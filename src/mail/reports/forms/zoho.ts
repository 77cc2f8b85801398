// Zoho: a line for each recipient, with codes in fields of its own. Pure.
import { isAddress } from '../reported-address.ts'
import { type Form, failure } from './form.ts'

const OPENING = 'This message was created automatically by mail delivery software.'

export const readZoho: Form = ({ text }) => {
  if (!text.startsWith(OPENING)) return []
  return text.split('\n').flatMap((line) => {
    const [, bare, bracketed] = RECIPIENT.exec(line) ?? []
    const address = bare ?? bracketed ?? ''
    return isAddress(address) ? failure(address, [line], { codes: codesIn(line) }) : []
  })
}

/** `a@b.example Invalid Address, ERROR_CODE :550, …` and `[Status: Error, Address: <a@b.example>, ResponseCode 421, …]`. */
const RECIPIENT = /^(?:(\S{3,320}) [\w ]{1,80}, ERROR_CODE :|\[Status: \w+, Address: <([^<>]*)>, ResponseCode )/

function codesIn(line: string): { smtpCode: number | null; enhancedCode: string | null } {
  const [, reply] = /(?:ERROR_CODE :|ResponseCode )([245]\d\d)\b/.exec(line) ?? []
  const [, enhancedCode = null] = /ERROR_CODE :([245]\.\d{1,3}\.\d{1,3})\b/.exec(line) ?? []
  return { smtpCode: reply === undefined ? null : Number(reply), enhancedCode }
}
