// Stops mail to an address, and lets it back.
import type { ListedAddress, MadeStop } from '../../../src/servers/console/suppression-schemas.ts'
import { changed } from '../../ui/query.ts'
import { send } from '../../ui/request.ts'
import { toast } from '../../ui/toast.tsx'
import { here } from '../place.ts'

export async function stopMailing(address: string, note?: string): Promise<void> {
  const stopped = await send<MadeStop>('POST', here('/data/suppressions'), { address, ...(note ? { note } : {}) })
  await changed('/data/bounces')
  toast(stopped.added ? `No more mail goes to ${stopped.address}.` : `${stopped.address} was stopped already.`)
}

export async function letBack({ address, stopped }: ListedAddress): Promise<void> {
  if (!stopped) return
  await send('DELETE', here(`/data/suppressions/${stopped.id}`))
  await changed('/data/bounces')
  toast(`Mail goes to ${address} again.`)
}
