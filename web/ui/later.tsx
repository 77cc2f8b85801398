// A page whose script is fetched when it is first shown: what most visits do not see, the first load does not carry.
import type { ComponentType } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { FaultState } from './states.tsx'

const NOT_FETCHED = new Error('This page could not be fetched. Check your connection.')

type Page = ComponentType<Record<string, string>>

export function later(load: () => Promise<Page>): Page {
  let Loaded: Page | undefined

  return function Later(props: Record<string, string>) {
    const [state, setState] = useState<'waits' | 'there' | 'fault'>(Loaded ? 'there' : 'waits')
    const hadFocus = useRef(false)
    useEffect(() => {
      if (Loaded) return
      load().then(
        (component) => {
          Loaded = component
          hadFocus.current = document.activeElement?.id === 'main'
          setState('there')
        },
        () => setState('fault'),
      )
    }, [])
    // It goes on where it was: on the page.
    useLayoutEffect(() => {
      if (hadFocus.current) document.getElementById('main')?.focus({ preventScroll: true })
    }, [state])
    if (Loaded) return <Loaded {...props} />
    return (
      <main id="main" tabIndex={-1} class="page">
        {state === 'fault' ? (
          // A newer version has its scripts elsewhere: the page itself knows where.
          <FaultState fault={NOT_FETCHED} again={() => location.reload()} />
        ) : (
          <div class="loading" aria-busy="true" />
        )}
      </main>
    )
  }
}
