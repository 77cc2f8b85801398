// For how long things are kept.
import { Fragment } from 'preact'
import type { Settings } from '../../../src/servers/console/settings-schemas.ts'
import { daysInWords } from './days-in-words.ts'

const KINDS: readonly (readonly [kind: keyof Settings['keptDays'], words: string])[] = [
  ['messages', 'Messages, with their text and files'],
  ['trash', 'Messages in the trash'],
  ['deliveries', 'Webhook deliveries that have ended'],
  ['bounces', 'Bounces and complaints'],
  ['requests', 'Refused requests'],
  ['audit', 'Audit log'],
  ['counts', 'Counts of mail'],
  ['keyUse', 'Counts of requests'],
]

export function Kept({ keptDays }: Pick<Settings, 'keptDays'>) {
  return (
    <section class="card stack narrow" aria-labelledby="kept-title">
      <h2 id="kept-title">What is kept</h2>
      <dl class="facts">
        {KINDS.map(([kind, words]) => (
          <Fragment key={kind}>
            <dt>{words}</dt>
            <dd>{daysInWords(keptDays[kind])}</dd>
          </Fragment>
        ))}
        <dt>Events</dt>
        <dd>{daysInWords(null)}</dd>
      </dl>
      <p class="soft">A message on hold keeps its bytes for as long as it is held.</p>
    </section>
  )
}
