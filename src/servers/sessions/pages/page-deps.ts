// What the pages by which users come in stand on.
import type { AccountDeps } from '../account/own-account.ts'
import type { Site } from '../site.ts'

export interface PagesDeps extends AccountDeps {
  site: Site
  /** Whether links can be mailed. */
  mailsLinks: boolean
  /** What stands in the head of each page, as HTML. */
  head(): string
}

/** Whoever asks for such a page: nobody is signed in yet, or the page looks itself. */
export const OPEN = { config: { auth: 'open' } } as const
