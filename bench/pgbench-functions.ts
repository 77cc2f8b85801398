// The functions that pgbench calls: a send as plain inserts, the leanest way to write it one message at a time, without
// checks or look-ups. Calls take turns on the usage rows of 64 tenants, so that no single row holds pgbench back.
import type { Database } from '../src/lib/sql.ts'
import type { TestTenant } from '../test/support/tenant.ts'
import { SEND_TEXT } from './send-text.ts'

/** Makes `bench_accept`, which writes the rows that the service writes, and `bench_accept_eight`. */
export async function createBenchFunctions(database: Database, tenant: TestTenant): Promise<void> {
  await database.pool.query(`
    create table bench_usage (tenant integer primary key, recipients bigint not null) with (fillfactor = 50);
    insert into bench_usage select n, 0 from generate_series(0, 63) as n;
    ${fiveRows(tenant)};
    ${EIGHT_ROWS_TABLES};
    ${eightRows(tenant)}`)
}

/** Idempotency record, message, state, event, job. */
function fiveRows({ tenantId, appId, mailboxId, address }: TestTenant): string {
  return `
    create function bench_accept() returns void language plpgsql as $function$
    declare
      message uuid := gen_random_uuid();
      moment timestamptz := clock_timestamp();
      recipient json := '[{"address":"someone@example.test","name":null}]';
    begin
      update bench_usage set recipients = recipients + 1 where tenant = floor(random() * 64)::integer;
      insert into idempotency_keys (tenant_id, author_id, key, operation, target, request_hash, status_code, resource_id,
        reserved_at, expires_at)
      values ('${tenantId}', '${appId}', message::text, 'sendMessage', '', decode(repeat('ab', 32), 'hex'), 202, message,
        moment, moment + interval '1 day');
      insert into messages (tenant_id, id, environment_id, created_at, direction, mailbox_id, app_id, from_address,
        from_name, to_addresses, cc_addresses, bcc_addresses, subject, preview, in_sent, text)
      values ('${tenantId}', message, '${tenantId}', moment, 'outbound', '${mailboxId}', '${appId}', '${address}', 'Sender',
        recipient, '[]', '[]', 'Your receipt', left('${SEND_TEXT}', 200), true, '${SEND_TEXT}');
      insert into message_states (tenant_id, message_id, status, open, recipients)
      values ('${tenantId}', message, 'queued', 1, '[{"address":"someone@example.test","kind":"to","status":"queued"}]');
      insert into events (tenant_id, environment_id, epoch, id, type, resource_type, resource_id, data, occurred_at, app_id,
        key_id, request_id, client_address)
      values ('${tenantId}', '${tenantId}', (select epoch from feed_epoch), gen_random_uuid(), 'message.queued', 'message',
        message, json_build_object('mailboxId', '${mailboxId}', 'direction', 'outbound',
          'messageId', '<' || message || '@${address.split('@')[1]}>', 'subject', 'Your receipt',
          'from', json_build_object('address', '${address}', 'name', 'Sender'), 'to', recipient, 'status', 'queued'),
        moment, '${appId}', '${appId}', gen_random_uuid(), '127.0.0.1');
      insert into jobs (tenant_id, queue, lane, subject_id) values ('${tenantId}', 'outbound', '${tenantId}', message);
    end $function$`
}

/** A layout that spreads a message over more tables, as ADR 32 compares it: rows of their own for what is read apart. */
const EIGHT_ROWS_TABLES = `
  create table bench_messages (
    tenant_id uuid not null, id uuid not null, environment_id uuid not null, seq bigint generated always as identity,
    created_at timestamptz not null, direction text not null, status text not null, mailbox_id uuid, app_id uuid,
    from_address text, from_name text, to_addresses jsonb not null, cc_addresses jsonb not null,
    bcc_addresses jsonb not null, subject text not null, preview text not null, message_id text,
    primary key (tenant_id, id)
  ) with (fillfactor = 85);
  create index on bench_messages (tenant_id, environment_id, created_at desc, seq desc);
  create index on bench_messages (id);
  create table bench_bodies (tenant_id uuid not null, message_id uuid not null, text text, html text,
    primary key (tenant_id, message_id));
  create table bench_recipients (
    tenant_id uuid not null, message_id uuid not null, position smallint not null, address text not null, kind text not null,
    status text not null, updated_at timestamptz not null, primary key (tenant_id, message_id, position)
  ) with (fillfactor = 85);
  create table bench_entries (
    tenant_id uuid not null, message_id uuid not null, mailbox_id uuid not null, folder text not null,
    is_read boolean not null, is_starred boolean not null, environment_id uuid not null, created_at timestamptz not null,
    seq bigint not null, primary key (tenant_id, message_id, mailbox_id)
  );
  create index on bench_entries (tenant_id, mailbox_id, environment_id, created_at desc, seq desc)`

/** Idempotency record with its answer, message, body, recipient, entry, event, job, audit record. */
function eightRows({ tenantId, appId, mailboxId, address }: TestTenant): string {
  return `
    create function bench_accept_eight() returns void language plpgsql as $function$
    declare
      message uuid := gen_random_uuid();
      place bigint;
      moment timestamptz := clock_timestamp();
      header text := '<' || message || '@${address.split('@')[1]}>';
      recipient jsonb := '[{"address":"someone@example.test","name":null}]';
    begin
      update bench_usage set recipients = recipients + 1 where tenant = floor(random() * 64)::integer;
      insert into idempotency_keys (tenant_id, author_id, key, operation, target, request_hash, status_code, resource_id,
        response, reserved_at, expires_at)
      values ('${tenantId}', '${appId}', message::text, 'sendMessage', '', decode(repeat('ab', 32), 'hex'), 202, message,
        json_build_object('id', message, 'object', 'message', 'status', 'queued'), moment, moment + interval '1 day');
      insert into bench_messages (tenant_id, id, environment_id, created_at, direction, status, mailbox_id, app_id,
        from_address, from_name, to_addresses, cc_addresses, bcc_addresses, subject, preview, message_id)
      values ('${tenantId}', message, '${tenantId}', moment, 'outbound', 'queued', '${mailboxId}', '${appId}',
        '${address}', 'Sender', recipient, '[]', '[]', 'Your receipt', left('${SEND_TEXT}', 200), header)
      returning seq into place;
      insert into bench_bodies (tenant_id, message_id, text) values ('${tenantId}', message, '${SEND_TEXT}');
      insert into bench_recipients (tenant_id, message_id, position, address, kind, status, updated_at)
      values ('${tenantId}', message, 0, 'someone@example.test', 'to', 'queued', moment);
      insert into bench_entries (tenant_id, message_id, mailbox_id, folder, is_read, is_starred, environment_id, created_at,
        seq)
      values ('${tenantId}', message, '${mailboxId}', 'sent', true, false, '${tenantId}', moment, place);
      insert into events (tenant_id, environment_id, epoch, id, type, resource_type, resource_id, data, occurred_at)
      values ('${tenantId}', '${tenantId}', (select epoch from feed_epoch), gen_random_uuid(), 'message.queued', 'message',
        message, json_build_object('object', 'message', 'id', message, 'mailboxId', '${mailboxId}', 'direction', 'outbound',
          'messageId', header, 'subject', 'Your receipt', 'from', json_build_object('address', '${address}', 'name',
          'Sender'), 'to', recipient, 'status', 'queued'), moment);
      insert into jobs (tenant_id, queue, lane, subject_id) values ('${tenantId}', 'outbound', '${tenantId}', message);
      insert into audit_log (tenant_id, id, at, app_id, key_id, operation, resource_type, resource_id, client_address,
        request_id)
      values ('${tenantId}', gen_random_uuid(), moment, '${appId}', '${appId}', 'sendMessage', 'message', message,
        '127.0.0.1', gen_random_uuid()::text);
    end $function$`
}
