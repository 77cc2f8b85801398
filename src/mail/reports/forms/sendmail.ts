// Sendmail's words, where the fields behind them were lost, and those of others that follow it: Biglobe, McAfee. A line
// for each address, with `(reason: …)` beneath. Pure.
import { readAddress } from '../reported-address.ts'
import { type Form, failure, failures } from './form.ts'

/** Not those that it is still trying, which had `transient non-fatal errors`. */
const HEADING =
  /^[ \t]*-{3,5} ?The following addresses had (?:permanent \w{1,20} errors|delivery (?:problems|errors)) ?-{3,5}$/m

export const readSendmail: Form = ({ text }) => {
  const heading = HEADING.exec(text)
  if (!heading) return []
  const [list = ''] = text
    .slice(heading.index + heading[0].length)
    .trimStart()
    .split(/\n[ \t]*(?:\n|-{3})/, 1)
  return failures(list.split('\n'), addressIn).map(({ address, reason }) => failure(address, reason))
}

/** Where the line names a program instead, the next one says for whom: `(expanded from: <a@b.example>)`. */
function addressIn(line: string): string | undefined {
  const [, expanded] = /^\s+\(expanded from: ([^()\s]*)\)$/.exec(line.trimEnd()) ?? []
  if (/^\s/.test(line)) return readAddress(expanded ?? '') ?? undefined
  return readAddress(line.replace(/^>>> /, '').replace(/\[[^\]]*\]\s*$/, '')) ?? undefined
}
