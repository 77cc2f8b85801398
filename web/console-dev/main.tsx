// The console of `mdk dev`: the console, and the mail that its relay has taken.
import { PAGES } from '../console/pages.ts'
import { showConsole } from '../console/show-console.tsx'
import { CAPTURED_PAGES } from './captured/pages.ts'

const behindMessages = PAGES.findIndex(({ path }) => path === '/messages/:messageId') + 1

showConsole(PAGES.toSpliced(behindMessages, 0, ...CAPTURED_PAGES))
