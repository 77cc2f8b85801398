// Amazon WorkMail: the fields of a delivery status notification in the text, as its technical report. Pure.
import { readStatusFields } from '../delivery-report.ts'
import type { Form } from './form.ts'

const OPENING = 'An error occurred while trying to deliver the mail to the following recipients:'
const FIELDS = 'Technical report:'

export const readWorkmail: Form = ({ text }) => {
  const at = text.startsWith(OPENING) ? text.indexOf(FIELDS) : -1
  return at === -1 ? [] : (readStatusFields(text.slice(at + FIELDS.length))?.recipients ?? [])
}
