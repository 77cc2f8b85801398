// One page within the frame: its title, what may be done there, and what it shows.
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'

interface PageProps {
  title: string
  /** Of the product, behind the page's in the browser's tab. */
  product: string
  actions?: ComponentChildren
  children: ComponentChildren
}

export function Page({ title, product, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · ${product}`
  }, [title, product])
  return (
    <main id="main" tabIndex={-1} class="page">
      <header class="beside apart">
        <h1>{title}</h1>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </main>
  )
}
