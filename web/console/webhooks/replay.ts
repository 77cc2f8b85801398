// Has a delivery replayed as it is shown: whoever asks at the same time asks for the same.
import type { ListedDelivery } from '../../../src/servers/console/webhook-schemas.ts'
import { changed } from '../../ui/query.ts'
import { send } from '../../ui/request.ts'
import { toast } from '../../ui/toast.tsx'
import { here } from '../place.ts'

/** @throws Refusal */
export async function replay({ id, cycle, eventType }: ListedDelivery): Promise<void> {
  await send('POST', here(`/data/deliveries/${id}/replay`), { cycle })
  await changed('/data/deliveries')
  toast(`${eventType} is delivered again.`)
}
