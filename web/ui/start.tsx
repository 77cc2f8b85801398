// Starts a site in the browser: finds out who is signed in, shows it, and keeps what it shows true.
import { effect } from '@preact/signals'
import { type ComponentType, render } from 'preact'
import type { ChangeData } from '../../src/servers/sessions/changes-text.ts'
import { inTurn } from './in-turn.ts'
import { followChanges } from './live.ts'
import { changed, fetchAhead } from './query.ts'
import { followLinks } from './router.ts'
import { loadSession, session } from './session.ts'
import { StartFault } from './start-fault.tsx'

/** However much happens, it is fetched no more often. */
const REST_MS = 1_000

interface SiteOptions {
  /** Whether a path is a page of the site's. */
  knows(path: string): boolean
  /** What the frame shows of its own: fetched before the first page is shown, so that nothing moves when it comes. */
  frame: string
  /** The stream of what is new. */
  changes: string
  /** What is fetched again when something is, by the beginning of its path. */
  changed: readonly string[]
  /** Hears of each change. */
  onChange?(change: ChangeData): void
}

export function start(Site: ComponentType, { knows, frame, changes, changed: paths, onChange }: SiteOptions): void {
  const app = document.getElementById('app') as HTMLElement
  const rest = () => new Promise((resolve) => setTimeout(resolve, REST_MS))
  const fetchAgain = inTurn(() => Promise.all(paths.map(changed)), rest)
  const findOut = inTurn(loadSession, rest)
  loadSession().then(
    async () => {
      if (!session().mustAddFactor) await fetchAhead(frame)
      followLinks(knows)
      asSoonAs(
        () => !session().mustAddFactor,
        () => {
          const hear = (change: ChangeData) => {
            fetchAgain()
            onChange?.(change)
            if (change.type !== 'reload') return
            findOut()
            void changed('/data/')
          }
          // What could not be reached meanwhile is asked for again, though the stream may have outlived it.
          addEventListener('online', () => hear({ type: 'reload' }))
          followChanges({ url: changes, onChange: hear, onRefused: findOut })
        },
      )
      render(<Site />, app)
    },
    (fault: Error) => render(<StartFault fault={fault} />, app),
  )
}

/** Once, as soon as it is so by what signals say. */
function asSoonAs(isSo: () => boolean, act: () => void): void {
  let isDone = false
  effect(() => {
    if (isDone || !isSo()) return
    isDone = true
    act()
  })
}
