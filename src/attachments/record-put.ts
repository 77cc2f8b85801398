// What came of bytes that were put by a signed URL.
import { type Db, sql } from '../lib/sql.ts'
import type { Upload } from './find-upload.ts'

/** Notes what came of a PUT. */
export async function recordPut(
  db: Db,
  upload: Pick<Upload, 'tenantId' | 'id'>,
  refused: string[] | null,
): Promise<void> {
  await db.rows(sql`
    update uploads set put_at = case when ${refused}::text[] is null then clock_timestamp() else put_at end,
      refused = ${refused}::text[]
    where tenant_id = ${upload.tenantId} and id = ${upload.id}`)
}
