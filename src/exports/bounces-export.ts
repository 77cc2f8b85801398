// Addresses that bounced for good, complained or are stopped, as a file, newest first.
import { type BouncedQuery, listBouncedAddresses } from '../suppressions/list-bounced-addresses.ts'
import { listExport } from './list-export.ts'

export const bouncesExport = listExport<
  Omit<BouncedQuery, 'limit' | 'cursor'>,
  | ('address' | 'bounces' | 'complaints' | 'firstAt' | 'lastAt' | 'lastKind' | 'lastMessageId')
  | ('smtpCode' | 'enhancedCode' | 'diagnostic' | 'stoppedAt' | 'stoppedReason' | 'stoppedBy' | 'note')
>({
  name: 'bounces',
  operation: 'exportBounces',
  resourceType: 'bounce',
  columns: [
    ...(['address', 'bounces', 'complaints', 'firstAt', 'lastAt', 'lastKind', 'lastMessageId'] as const),
    ...(['smtpCode', 'enhancedCode', 'diagnostic', 'stoppedAt', 'stoppedReason', 'stoppedBy', 'note'] as const),
  ],
  async read(db, actor, page) {
    const { items, nextCursor } = await listBouncedAddresses(db, actor, page)
    return {
      items: items.map(({ last, stopped, ...address }) => ({
        ...address,
        lastKind: last?.kind ?? null,
        lastMessageId: last?.messageId ?? null,
        smtpCode: last?.smtpCode ?? null,
        enhancedCode: last?.enhancedCode ?? null,
        diagnostic: last?.diagnostic ?? null,
        stoppedAt: stopped?.at ?? null,
        stoppedReason: stopped?.reason ?? null,
        stoppedBy: stopped?.by?.name ?? stopped?.by?.kind ?? null,
        note: stopped?.note ?? null,
      })),
      nextCursor,
    }
  },
})
