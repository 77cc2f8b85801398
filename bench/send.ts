// How many sends a second are accepted over HTTP, beside what pgbench reaches with the same rows on the same server:
// plain inserts, one function call and one transaction each. Interleaved, so that a machine that slows down slows both.
import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { type Database, openDatabase } from '../src/lib/sql.ts'
import { createTestTenant, type TestTenant } from '../test/support/tenant.ts'
import { load, perSecond, startApi } from './api-load.ts'
import { SEND_TEXT } from './send-text.ts'
import type { LoadSizes } from './sizes.ts'
import { median, ratio } from './statistics.ts'

const run = promisify(execFile)
const WHOLE_GROUP = 64
const SCRIPT = new URL('accept.pgbench.sql', import.meta.url).pathname

export interface SendFigures {
  accepted_per_s: number
  accepted_alone_per_s: number
  grouped_over_alone: number
  /** Absent where pgbench is not installed. */
  pgbench_16_per_s?: number
  pgbench_64_per_s?: number
  accepted_over_pgbench?: number
  p50_ms: number
  p99_ms: number
}

/** `url` is a migrated database that nothing else uses. */
export async function benchSend(url: string, { seconds, rounds }: LoadSizes): Promise<SendFigures> {
  const database = openDatabase({ url })
  const tenant = await createTestTenant(database)
  await database.pool.query(`update plans set messages_per_month = 0`)
  await createBenchFunction(database, tenant)
  const grouped = await startApi(url, WHOLE_GROUP)
  const alone = await startApi(url, 1)
  const pgbench = await findPgbench()
  const figures = { grouped: [] as number[], alone: [] as number[], pg16: [] as number[], pg64: [] as number[] }
  try {
    for (const api of [grouped, alone]) await load([api], 1, 0, tenant)
    for (let round = 0; round < rounds; round++) {
      figures.grouped.push(perSecond(await load([grouped], seconds, 0, tenant)))
      if (pgbench) figures.pg16.push(runPgbench(pgbench, url, seconds, 16))
      figures.alone.push(perSecond(await load([alone], seconds, 0, tenant)))
      if (pgbench) figures.pg64.push(runPgbench(pgbench, url, seconds, 64))
      await database.pool.query('checkpoint')
    }
    const accepted = median(figures.grouped)
    const calm = await load([grouped], seconds * 2, accepted / 2, tenant)
    const best = Math.max(median(figures.pg16), median(figures.pg64))
    return {
      accepted_per_s: Math.round(accepted),
      accepted_alone_per_s: Math.round(median(figures.alone)),
      grouped_over_alone: ratio(accepted, median(figures.alone)),
      ...(pgbench
        ? {
            pgbench_16_per_s: Math.round(median(figures.pg16)),
            pgbench_64_per_s: Math.round(median(figures.pg64)),
            accepted_over_pgbench: ratio(accepted, best),
          }
        : {}),
      p50_ms: Math.round(calm.p50Ms * 10) / 10,
      p99_ms: Math.round(calm.p99Ms * 10) / 10,
    }
  } finally {
    for (const api of [grouped, alone]) api.child.kill('SIGKILL')
    await database.end()
  }
}

/**
 * The same rows as plain inserts, the leanest way to write them one message at a time: no checks, no look-ups. Its
 * calls take turns on the usage rows of 64 tenants, so that no single row holds pgbench back.
 */
async function createBenchFunction(database: Database, tenant: TestTenant): Promise<void> {
  const { tenantId, appId, mailboxId, address } = tenant
  await database.pool.query(`
    create table bench_usage (tenant integer primary key, recipients bigint not null) with (fillfactor = 50);
    insert into bench_usage select n, 0 from generate_series(0, 63) as n;
    create function bench_accept() returns void language plpgsql as $function$
    declare
      message uuid := gen_random_uuid();
      place bigint;
      moment timestamptz := clock_timestamp();
      header text := '<' || message || '@${address.split('@')[1]}>';
      recipient jsonb := '[{"address":"someone@example.test","name":null}]';
    begin
      update bench_usage set recipients = recipients + 1 where tenant = floor(random() * 64)::integer;
      insert into idempotency_keys (tenant_id, app_id, key, operation, target, request_hash, status_code, resource_id,
        response, reserved_at, expires_at)
      values ('${tenantId}', '${appId}', message::text, 'sendMessage', '', decode(repeat('ab', 32), 'hex'), 202, message,
        json_build_object('id', message, 'object', 'message', 'status', 'queued'), moment, moment + interval '1 day');
      insert into messages (tenant_id, id, environment_id, created_at, direction, status, mailbox_id, app_id,
        from_address, from_name, to_addresses, cc_addresses, bcc_addresses, subject, preview, message_id)
      values ('${tenantId}', message, '${tenantId}', moment, 'outbound', 'queued', '${mailboxId}', '${appId}',
        '${address}', 'Sender', recipient, '[]', '[]', 'Your receipt', left('${SEND_TEXT}', 200), header)
      returning seq into place;
      insert into message_bodies (tenant_id, message_id, text) values ('${tenantId}', message, '${SEND_TEXT}');
      insert into message_recipients (tenant_id, message_id, position, address, kind, status, updated_at)
      values ('${tenantId}', message, 0, 'someone@example.test', 'to', 'queued', moment);
      insert into message_entries (tenant_id, message_id, mailbox_id, folder, is_read, is_starred, environment_id,
        created_at, seq)
      values ('${tenantId}', message, '${mailboxId}', 'sent', true, false, '${tenantId}', moment, place);
      insert into events (tenant_id, environment_id, epoch, id, type, resource_type, resource_id, data, occurred_at)
      values ('${tenantId}', '${tenantId}', (select epoch from feed_epoch), gen_random_uuid(), 'message.queued', 'message', message,
        json_build_object('object', 'message', 'id', message, 'mailboxId', '${mailboxId}', 'direction', 'outbound',
          'messageId', header, 'subject', 'Your receipt', 'from', json_build_object('address', '${address}', 'name',
          'Sender'), 'to', recipient, 'status', 'queued'), moment);
      insert into jobs (tenant_id, queue, lane, subject_id) values ('${tenantId}', 'outbound', '${tenantId}', message);
      insert into audit_log (tenant_id, id, at, app_id, key_id, operation, resource_type, resource_id, client_address,
        request_id)
      values ('${tenantId}', gen_random_uuid(), moment, '${appId}', '${appId}', 'sendMessage', 'message', message,
        '127.0.0.1', gen_random_uuid()::text);
    end $function$`)
}

async function findPgbench(): Promise<string | undefined> {
  return run('pgbench', ['--version']).then(
    () => 'pgbench',
    () => undefined,
  )
}

function runPgbench(pgbench: string, url: string, seconds: number, clients: number): number {
  const { stdout, stderr, status } = spawnSync(
    pgbench,
    ['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', '-T', String(seconds), '-f', SCRIPT, url],
    { encoding: 'utf8' },
  )
  const found = /tps = ([\d.]+)/.exec(stdout)?.[1]
  if (status !== 0 || found === undefined) throw new Error(`pgbench failed: ${stderr}`)
  return Number(found)
}
