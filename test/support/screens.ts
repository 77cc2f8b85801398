// Pictures of what tests have in a browser, for whoever wants to look at all pages at once.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

/** Of the repository, in no commit. */
const FOLDER = new URL('../../test-output/screens', import.meta.url).pathname
const ID = /[0-9a-f]{8}-[0-9a-f-]{27}/g

/**
 * Keeps a picture of what is shown, as `console-apps-light.png`. `what`: a path, or a few words. `kind`: of the width and scheme
 * that it is shown in.
 */
export async function keepScreen(page: Page, what: string, kind: 'light' | 'dark' | 'phone'): Promise<void> {
  const product = (await page.title()).split(' · ').at(-1)?.toLowerCase()
  const name =
    what
      .replaceAll(ID, 'one')
      .replaceAll(/[^a-z0-9]+/gi, '-')
      .replaceAll(/^-|-$/g, '') || 'first'
  await mkdir(FOLDER, { recursive: true })
  await page.screenshot({ path: join(FOLDER, `${product}-${name}-${kind}.png`), animations: 'disabled' })
}
