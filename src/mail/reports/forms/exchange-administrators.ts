// Exchange since 2007 and Microsoft 365, where the fields behind the text were lost: its section for administrators has
// each address on a line of its own, and the reply beneath. Pure.
import { isAddress } from '../reported-address.ts'
import { type Form, failure, failures } from './form.ts'

const OPENING = 'Delivery has failed to these recipients or '
const SECTION = /^Diagnostic information for administrators:\s+Generating server: [^\n]*\n/m
const END = /^Original message headers:/m

export const readExchangeAdministrators: Form = ({ text }) => {
  const section = text.startsWith(OPENING) ? SECTION.exec(text) : null
  if (!section) return []
  const [list = ''] = text.slice(section.index + section[0].length).split(END, 1)
  return failures(list.split('\n'), addressIn).map(({ address, reason }) =>
    failure(
      address,
      reason.map((line) => line.replace(/^#/, '')),
    ),
  )
}

function addressIn(line: string): string | undefined {
  const address = line.trim()
  return isAddress(address) ? address : undefined
}
