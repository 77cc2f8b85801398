// How the user wants the webmail, as the server keeps it for all of the user's browsers.
import type { OwnSettingsAnswer, SettingsChange } from '../../../src/servers/webmail/content-schemas.ts'
import { type Query, queries, useQuery } from '../../ui/query.ts'
import { send } from '../../ui/request.ts'

export const SETTINGS_PATH = '/data/settings'

export const useSettings = (): Query<OwnSettingsAnswer> => useQuery<OwnSettingsAnswer>(SETTINGS_PATH)

/** Shows at once; what is refused is as it was. @throws Refusal */
export async function changeSettings(change: SettingsChange): Promise<void> {
  const key = [SETTINGS_PATH]
  await queries.cancelQueries({ queryKey: key })
  queries.setQueryData<OwnSettingsAnswer>(key, (before) => before && { ...before, ...change })
  try {
    await send('PATCH', SETTINGS_PATH, change)
  } finally {
    await queries.invalidateQueries({ queryKey: key })
  }
}
