// What was used in the last week: requests by key, and messages by application. Each name leads to what was counted.
import type { Usage as Used } from '../../../src/servers/console/settings-schemas.ts'
import { bytesInWords } from '../../ui/bytes-in-words.ts'
import { useQuery } from '../../ui/query.ts'
import { Loaded } from '../../ui/states.tsx'
import { here } from '../place.ts'
import { DailyTable } from './daily-table.tsx'

/** What is counted is about a second behind what happens. */
const LOOK_AGAIN_MS = 1_000
const dayOfUtc = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })

export function Usage() {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const usage = useQuery<Used>(here(`/data/usage?${new URLSearchParams({ timeZone })}`), (shown) =>
    shown && !shown.messages.isCurrent ? LOOK_AGAIN_MS : false,
  )
  return (
    <Loaded query={usage}>
      {({ messages, requests, stored }) => (
        <>
          <Messages {...messages} timeZone={timeZone} />
          <Requests {...requests} />
          <Stored mailboxes={stored} />
        </>
      )}
    </Loaded>
  )
}

function Messages({ days, apps, others, timeZone }: Used['messages'] & { timeZone: string }) {
  const dayHere = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone })
  const whole = { since: days[0]?.since ?? '', until: days.at(-1)?.until ?? '' }
  return (
    <DailyTable
      title="Messages, last 7 days"
      of="Application"
      days={days.map(({ since }) => dayHere.format(new Date(since)))}
      rows={[
        ...apps.map((app) => ({
          id: app.id,
          name: (
            <a href={messagesOf(app, whole)}>
              <bdi>{app.name}</bdi>
              {app.environment === 'sandbox' && ' (sandbox)'}
            </a>
          ),
          values: app.sent,
        })),
        { id: 'others', name: 'Without an application', values: others },
      ]}
      empty="Nothing was sent."
      about={`Messages that were accepted, however many recipients each has, by days in ${timeZone}.`}
    />
  )
}

/** Those that were counted; of a sandbox the events, as some of them may be synthetic. */
function messagesOf(
  { id, environment }: Used['messages']['apps'][number],
  { since, until }: { since: string; until: string },
): string {
  return environment === 'production'
    ? `/messages?${new URLSearchParams({ app: id, since, until })}`
    : `/events?${new URLSearchParams({ type: 'message.queued', since, until, environment: `sandbox:${id}` })}`
}

function Requests({ days, keys, others }: Used['requests']) {
  return (
    <DailyTable
      title="Requests, last 7 days"
      of="Key"
      days={days.map((day) => dayOfUtc.format(new Date(day)))}
      rows={[
        ...keys.map(({ id, name, prefix, app, requests }) => ({
          id,
          name: (
            <>
              <bdi>{name ?? 'Without a name'}</bdi> <code>{prefix}…</code>
              <br />
              <small>
                <a href={here(`/apps/${app.id}`)}>
                  <bdi>{app.name}</bdi>
                </a>
                {app.environment === 'sandbox' && ' (sandbox)'}
              </small>
            </>
          ),
          values: requests,
        })),
        { id: 'others', name: 'All other keys', values: others },
      ]}
      empty="Nobody made a request."
      about="Requests with a good key, also those that were refused for something else, by days in UTC."
    />
  )
}

/** What the plan counts is what lies in the store, and a message that several mailboxes have lies there once. */
function Stored({ mailboxes }: { mailboxes: Used['stored'] }) {
  return (
    <section class="stack narrow" aria-labelledby="stored-title">
      <h2 id="stored-title">Stored, by mailbox</h2>
      {mailboxes.length === 0 ? (
        <p class="soft">No mailbox has a message.</p>
      ) : (
        <>
          <div class="table">
            <table>
              <thead>
                <tr>
                  <th scope="col">Mailbox</th>
                  <th scope="col" class="number">
                    Stored
                  </th>
                </tr>
              </thead>
              <tbody>
                {mailboxes.map(({ id, address, bytes }) => (
                  <tr key={id}>
                    <th scope="row" class="address">
                      <a href={here(`/mailboxes/${id}`)}>
                        <bdi>{address}</bdi>
                      </a>
                    </th>
                    <td class="number">{bytesInWords(bytes)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <p class="soft">
            Those that have most. A message that several mailboxes have counts in each of them, and once for the plan.
          </p>
        </>
      )}
    </section>
  )
}
