// The console, as it is served.
import { PAGES } from './pages.ts'
import { showConsole } from './show-console.tsx'

showConsole(PAGES)
