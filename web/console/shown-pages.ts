// The pages that the console has where it runs: its own, and those that a command adds.
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { PageOf } from './pages.ts'

export const ShownPages = createContext<readonly PageOf[]>([])

export const useShownPages = () => useContext(ShownPages)
