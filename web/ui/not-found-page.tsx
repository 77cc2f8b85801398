// A path that leads nowhere.
import { Page } from './page.tsx'
import { EmptyState } from './states.tsx'

export function NotFoundPage({ product }: { product: string }) {
  return (
    <Page title="No such page" product={product}>
      <EmptyState title="There is nothing here">
        The address may be mistyped, or what it named is gone. <a href="/">Start over</a>
      </EmptyState>
    </Page>
  )
}
