// Shows what a message says as long as people may see it. The server refuses it by itself: this takes away what is on the screen.
import type { ComponentChildren } from 'preact'
import type { Surroundings } from '../../../src/servers/console/schemas.ts'
import { useQuery } from '../../ui/query.ts'
import { EmptyState } from '../../ui/states.tsx'
import { here, isOwner } from '../place.ts'

const LOOK_AGAIN_MS = 5_000

export function WhereSeen({ children }: { children: ComponentChildren }) {
  const { data } = useQuery<Surroundings>('/data/surroundings', () => LOOK_AGAIN_MS)
  if (data?.peopleSeeContent !== false) return <>{children}</>
  return (
    <EmptyState title="Hidden">
      Your organization does not let people see what messages say.{' '}
      {isOwner() ? (
        <>
          You can change that in the <a href={here('/settings')}>settings</a>.
        </>
      ) : (
        'An Owner can change that.'
      )}
    </EmptyState>
  )
}
