// Captured mail is for Owners: whoever else comes by its address is told so, and why.
import type { ComponentType } from 'preact'
import { isOwner } from '../../console/place.ts'
import { Page } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/states.tsx'

type Named = Record<string, string>

export function forOwners(Captured: ComponentType<Named>): ComponentType<Named> {
  return (named: Named) => (isOwner() ? <Captured {...named} /> : <OwnersAlone />)
}

function OwnersAlone() {
  return (
    <Page title="Captured mail" product="Console">
      <EmptyState title="Owners see captured mail">
        It may hold links by which others sign in. Ask an Owner for what you look for. Messages shows what became of
        each message.
      </EmptyState>
    </Page>
  )
}
