// The newest act can be undone: by the button on what says that it was done, and by a key.
import type { ComponentChildren } from 'preact'
import { toast } from '../ui/toast.tsx'

interface Offered {
  undo(): Promise<unknown>
  forget(): void
}

let newest: Offered | undefined

interface How {
  shownMs?: number
  /** Other acts do not take its button away, only the key. */
  stays?: boolean
}

/** Says what was done, and how it is undone. Gives what takes that away. `act` never throws. */
export function offerUndo(
  words: ComponentChildren,
  act: () => Promise<unknown>,
  { shownMs, stays = false }: How = {},
): () => void {
  forgetUndo()
  const withdraw = (): void => {
    forget()
    if (newest === offered) newest = undefined
  }
  const take = async (): Promise<void> => {
    withdraw()
    await act()
  }
  const forget = toast(words, { label: 'Undo', act: () => void take() }, shownMs)
  const offered: Offered = { undo: take, forget: stays ? () => {} : forget }
  newest = offered
  return withdraw
}

/** Of the newest act, if there is one. Never throws. */
export async function undo(): Promise<void> {
  await newest?.undo()
}

/** Another act begins. */
export function forgetUndo(): void {
  newest?.forget()
  newest = undefined
}
