// Several views of one thing, one of them shown: which one is in the page's URL.
import { path, query } from './router.ts'

const NAME = 'view'

interface ViewsProps<T extends string> {
  /** Of what they are views. */
  label: string
  views: readonly (readonly [view: T, words: string])[]
}

/** The one that is shown: the first unless the URL names another. */
export function viewShown<T extends string>(views: ViewsProps<T>['views']): T {
  const given = query().get(NAME)
  const [shown] = views.find(([view]) => view === given) ?? views[0] ?? []
  return shown as T
}

export function Views<T extends string>({ label, views }: ViewsProps<T>) {
  const shown = viewShown(views)
  return (
    <nav class="views" aria-label={label}>
      <ul class="plain">
        {views.map(([view, words], i) => (
          <li key={view}>
            <a href={address(i === 0 ? undefined : view)} aria-current={view === shown ? 'page' : undefined}>
              {words}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function address(view: string | undefined): string {
  const next = new URLSearchParams(query())
  if (view === undefined) next.delete(NAME)
  else next.set(NAME, view)
  return `${path()}${next.size > 0 ? `?${next}` : ''}`
}
