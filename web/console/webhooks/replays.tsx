// What is being replayed to an endpoint, how far it is, and what was replayed lately.
import { useEffect, useRef } from 'preact/hooks'
import type { Replays as ReplayList, ShownReplay } from '../../../src/servers/console/webhook-schemas.ts'
import { attempt } from '../../ui/attempt.ts'
import { changed, useQuery } from '../../ui/query.ts'
import { send } from '../../ui/request.ts'
import { Time } from '../../ui/time.tsx'
import { here } from '../place.ts'
import { endInWords, progressOf } from './replay-words.ts'

const LOOK_EVERY_MS = 1_000
const MOST_SHOWN = 3

const isRunning = ({ status }: ShownReplay): boolean => status === 'running'

export function Replays({ endpointId }: { endpointId: string }) {
  const { data } = useQuery<ReplayList>(here(`/data/webhooks/${endpointId}/replays`), (list) =>
    list?.items.some(isRunning) ? LOOK_EVERY_MS : false,
  )
  const stands = data?.items.map(({ id, status }) => `${id} ${status}`).join()
  const stood = useRef(stands)
  // What was replayed shows among the deliveries, from its beginning to its end.
  useEffect(() => {
    if (stood.current !== undefined && stood.current !== stands) void changed('/data/deliveries')
    stood.current = stands
  }, [stands])
  if (!data || data.items.length === 0) return null
  return (
    <section class="card stack tight" aria-labelledby="replays-title">
      <h2 id="replays-title">Replays</h2>
      <ul class="plain rows">
        {data.items.slice(0, MOST_SHOWN).map((replay) => (
          <li key={replay.id}>{isRunning(replay) ? <Running replay={replay} /> : <Ended replay={replay} />}</li>
        ))}
      </ul>
    </section>
  )
}

function Running({ replay }: { replay: ShownReplay }) {
  const { words, share } = progressOf(replay)
  return (
    <div class="stack tight">
      <div class="beside apart">
        <p>
          Replaying what died since <Time at={replay.since} />
        </p>
        <button type="button" class="small" onClick={() => attempt(() => stop(replay.id))}>
          Stop
        </button>
      </div>
      <progress aria-label="Replayed" max={100} value={share} />
      <p class="soft">{words}</p>
    </div>
  )
}

function Ended({ replay }: { replay: ShownReplay }) {
  return (
    <p>
      {endInWords(replay)}{' '}
      <small>
        What died since <Time at={replay.since} />
        {replay.endpointId === null && ', of the whole application'}; asked for <Time at={replay.createdAt} />.
      </small>
    </p>
  )
}

async function stop(id: string): Promise<void> {
  await send('POST', here(`/data/replays/${id}/stop`))
  await changed('/data/webhooks')
}
