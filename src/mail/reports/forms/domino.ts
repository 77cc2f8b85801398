// HCL Domino, formerly Lotus: one recipient and the reason, in plain text. Pure.
import { isAddress } from '../reported-address.ts'
import { type Form, failure } from './form.ts'

const NOTICE = /^Your message\s+Subject:[^\n]*\n\s*was not delivered to:\s+(\S{3,320})\s+because:\n/

export const readDomino: Form = ({ text }) => {
  const [notice = '', address = ''] = NOTICE.exec(text) ?? []
  return isAddress(address) ? [failure(address, [text.slice(notice.length)])] : []
}
