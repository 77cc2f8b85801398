// The pages of captured mail.
import type { PageOf } from '../../console/pages.ts'
import { isOwner } from '../../console/place.ts'
import { CapturePage } from './capture-page.tsx'
import { CapturesPage } from './captures-page.tsx'
import { forOwners } from './for-owners.tsx'

export const CAPTURED_PAGES: readonly PageOf[] = [
  {
    path: '/captured',
    page: forOwners(CapturesPage),
    label: 'Captured mail',
    icon: 'sent',
    words: 'sent relay dev',
    isFor: isOwner,
  },
  { path: '/captured/:captureId', page: forOwners(CapturePage) },
]
