// Reads complaints in the Abuse Reporting Format (RFC 5965): somebody who got a message marked it as unwanted. Pure.
import { storableText } from '../parse/body-text.ts'
import { MAX_REPORTED_RECIPIENTS } from './delivery-report.ts'
import { readAddress } from './reported-address.ts'

/** The media type of a report's fields. */
export const FEEDBACK_TYPE = 'message/feedback-report'

export interface Complaint {
  /** The ENVID we gave at submission, where the reporter returns it. */
  envelopeId: string | null
  /** Whoever complained; none where the reporter hides it. */
  recipients: string[]
}

/** RFC 5965 7.3. Its other types praise (`not-spam`, RFC 6430) or speak of signatures (`auth-failure`, RFC 6591). */
const COMPLAINTS = ['abuse', 'fraud', 'virus', 'opt-out', 'other']

/** A dozen fields. */
const MAX_FEEDBACK_BYTES = 65_536

/** Reads the content of a part of FEEDBACK_TYPE. Null when nobody complains in it. */
export function readComplaint(content: Uint8Array): Complaint | null {
  const text = storableText(new TextDecoder().decode(content.subarray(0, MAX_FEEDBACK_BYTES)))
  const [type = ''] = valuesOf(text, 'feedback-type')
  if (!COMPLAINTS.includes(type.toLowerCase())) return null
  const [envelopeId = null] = valuesOf(text, 'original-envelope-id')
  const recipients = valuesOf(text, 'original-rcpt-to').flatMap((value) => readAddress(value) ?? [])
  return { envelopeId, recipients: recipients.slice(0, MAX_REPORTED_RECIPIENTS) }
}

/** In their order: RFC 5965 3.2 lets a field come more than once. */
function valuesOf(text: string, name: string): string[] {
  return [...text.matchAll(new RegExp(`^${name}[ \\t]*:(.*)$`, 'gim'))].flatMap(([, value = '']) => value.trim() || [])
}
