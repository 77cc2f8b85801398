// When a delivery is tried next, as far as a clock can tell: its turn is the queue's to give.
import type { ListedDelivery } from '../../../src/servers/console/webhook-schemas.ts'
import { Time } from '../../ui/time.tsx'
import { whenDue } from './delivery-words.ts'

export function NextTry({ delivery }: { delivery: ListedDelivery }) {
  if (delivery.nextAttemptAt === null) return <>–</>
  const when = whenDue(delivery, Date.now())
  if (when === 'due') return <>due</>
  return when === 'soon' ? <>in a moment</> : <Time at={delivery.nextAttemptAt} />
}
