// The pages of captured mail.

import type { PageOf } from '../../console/pages.ts'
import { isOwner } from '../../console/place.ts'
import { CapturePage } from './capture-page.tsx'
import { CapturesPage } from './captures-page.tsx'

export const CAPTURED_PAGES: readonly PageOf[] = [
  {
    path: '/captured',
    page: CapturesPage,
    label: 'Captured mail',
    icon: 'sent',
    words: 'sent relay dev',
    isFor: isOwner,
  },
  { path: '/captured/:captureId', page: CapturePage },
]
