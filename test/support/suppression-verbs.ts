// The verbs about stopped addresses, as every-verb.ts has those about everything else.
import type { TenantActor } from '../../src/access/actor.ts'
import { newId } from '../../src/lib/uuid.ts'
import { addSuppression } from '../../src/suppressions/add-suppression.ts'
import { hasAutomaticStops, setAutomaticStops } from '../../src/suppressions/automatic-stops.ts'
import { bouncesOfAddress } from '../../src/suppressions/bounces-of-address.ts'
import { importSuppressions } from '../../src/suppressions/import-suppressions.ts'
import { listBouncedAddresses } from '../../src/suppressions/list-bounced-addresses.ts'
import { listSuppressions } from '../../src/suppressions/list-suppressions.ts'
import { removeSuppression } from '../../src/suppressions/remove-suppression.ts'
import type { Verb } from './every-verb.ts'
import type { VerbDeps } from './one-of-each.ts'

const address = () => `${newId()}@example.test`

export function suppressionVerbs({ database }: VerbDeps): Record<string, Verb<TenantActor>> {
  return {
    listSuppressions: {
      ...{ action: 'readSuppressions', of: 'environment', namesNothing: true },
      ask: (actor) => listSuppressions(database, actor, { limit: 100 }),
    },
    listBouncedAddresses: {
      ...{ action: 'readSuppressions', of: 'environment', namesNothing: true },
      // Stopped ones, and those of a time: each has a statement of its own.
      ask: async (actor) => [
        await listBouncedAddresses(database, actor, { limit: 100, status: 'stopped' }),
        await listBouncedAddresses(database, actor, { limit: 100, since: '2026-01-01' }),
      ],
    },
    bouncesOfAddress: {
      ...{ action: 'readSuppressions', of: 'environment', namesNothing: true },
      ask: (actor) => bouncesOfAddress(database, actor, address()),
    },
    hasAutomaticStops: {
      ...{ action: 'readSuppressions', of: 'tenant', namesNothing: true },
      ask: (actor) => hasAutomaticStops(database, actor),
    },
    addSuppression: {
      ...{ action: 'manageSuppressions', of: 'environment', namesNothing: true },
      ask: (actor) => addSuppression(database, actor, { address: address() }),
    },
    importSuppressions: {
      ...{ action: 'manageSuppressions', of: 'environment', namesNothing: true },
      ask: (actor) => importSuppressions(database, actor, [address()]),
    },
    setAutomaticStops: {
      ...{ action: 'manageSuppressions', of: 'tenant', namesNothing: true },
      ask: (actor) => setAutomaticStops(database, actor, false),
    },
    removeSuppression: {
      ...{ action: 'manageSuppressions', of: 'environment', ends: true },
      ask: (actor, { suppressionId: id }) => removeSuppression(database, actor, { id }),
    },
  }
}
