-- The accepting statement of ADR 32 over tables.sql: $1 the requests as JSON, $2 how long a key is kept, in seconds.
-- created_at is written here as the statement of src/messages/accept-messages.ts did before messages were spread (ADR 27).
with moment as materialized (
  select at, date_trunc('month', at at time zone 'UTC')::date as month from (select clock_timestamp() as at) as t
),
input as materialized (select r.* from rows from (json_to_recordset($1::json) as (
      tenant_id uuid, app_id uuid, key_id uuid, environment_id uuid, demo boolean, idempotency_key text, request_hash text, message_id uuid, event_id uuid, audit_id uuid, mailbox_id uuid, to_addresses json, cc_addresses json, bcc_addresses json, recipients json, subject text, text text, html text, preview text, attachments json, refused text, client_address text, user_agent text, request_id text, recipient_count integer, attachment_count integer)) with ordinality as r (tenant_id, app_id, key_id, environment_id, demo, idempotency_key, request_hash, message_id, event_id, audit_id, mailbox_id, to_addresses, cc_addresses, bcc_addresses, recipients, subject, text, html, preview, attachments, refused, client_address, user_agent, request_id, recipient_count, attachment_count, n)),
turn as materialized (
  select u.tenant_id, u.recipients as used, p.messages_per_month as capacity,
    p.stored_mib::bigint * 1048576 as stored_limit,
    case when p.stored_mib > 0 then coalesce((
      select s.stored_bytes from tenant_storage s where s.tenant_id = u.tenant_id), 0) end as stored
  from tenant_usage u
  join tenants t on t.id = u.tenant_id
  join plans p on p.name = t.plan
  where u.tenant_id in (select i.tenant_id from input i) and u.month = (select month from moment)
  order by u.tenant_id
  for update of u
),
taken as materialized (
  select x.tenant_id, x.environment_id, x.id
  from (
    select distinct i.tenant_id, h.id
    from input i cross join lateral json_to_recordset(i.attachments) as h (id uuid)
    where i.attachment_count > 0
    order by i.tenant_id, h.id
  ) wanted
  cross join lateral (
    select a.tenant_id, a.environment_id, a.id from attachments a
    where a.tenant_id = wanted.tenant_id and a.id = wanted.id limit 1 for key share
  ) x
),
judged as materialized (
  select i.n, i.tenant_id, i.app_id, i.environment_id, i.idempotency_key, i.request_hash, i.message_id, i.mailbox_id, i.attachments, i.refused, i.recipient_count, i.attachment_count, t.used, t.capacity, t.stored,
    t.stored_limit, m.address as from_address, m.display_name as from_name, k.resource_id as prior_id,
    case
      when k.request_hash is not null then case
        when k.operation <> 'sendMessage' or k.request_hash <> decode(i.request_hash, 'hex') then 'conflict'
        when k.status_code is null then 'pending'
        when k.resource_id = i.message_id then 'accepted'
        else 'replay' end
      when row_number() over (partition by i.app_id, i.idempotency_key order by i.n) > 1 then 'again'
      when m.status is null then 'no_mailbox'
      when m.status = 'suspended' then 'mailbox_suspended'
      when i.refused is not null then i.refused
      when i.attachment_count > 0 and i.attachment_count > (
        select count(*) from json_to_recordset(i.attachments) as h (id uuid)
        join taken x on x.tenant_id = i.tenant_id and x.id = h.id and x.environment_id = i.environment_id
      ) then 'no_attachment'
      when t.used is null then 'no_usage_row'
      when t.capacity > 0 and t.used + i.recipient_count > t.capacity then 'over_capacity'
      when t.stored_limit > 0 and t.stored >= t.stored_limit then 'over_storage'
    end as refusal
  from input i
  left join turn t on t.tenant_id = i.tenant_id
  left join lateral (
    select b.address, b.display_name, b.status from mailboxes b
    where b.tenant_id = i.tenant_id and b.id = i.mailbox_id limit 1
  ) m on true
  left join lateral (
    select r.operation, r.request_hash, r.status_code, r.resource_id from idempotency_keys r
    where r.tenant_id = i.tenant_id and r.app_id = i.app_id and r.key = i.idempotency_key
      and r.expires_at > (select at from moment)
    limit 1
  ) k on true
),
fitting as (
  select f.* from (
    select j.*, j.capacity = 0 or j.used + sum(j.recipient_count) over (
      partition by j.tenant_id order by j.n rows unbounded preceding) <= j.capacity as fits
    from judged j where j.refusal is null
  ) f where f.fits
),
reserved as (
  insert into idempotency_keys as k (tenant_id, app_id, key, operation, target, request_hash, status_code,
    resource_id, response, reserved_at, expires_at)
  select f.tenant_id, f.app_id, f.idempotency_key, 'sendMessage', '', decode(f.request_hash, 'hex'), 202,
    f.message_id, null, o.at,
    o.at + make_interval(secs => $2::float8)
  from fitting f cross join moment o
  order by f.tenant_id, f.app_id, f.idempotency_key
  on conflict (app_id, key) do update set operation = excluded.operation, target = excluded.target,
    request_hash = excluded.request_hash, status_code = excluded.status_code, resource_id = excluded.resource_id,
    response = excluded.response, reserved_at = excluded.reserved_at, expires_at = excluded.expires_at
  where k.expires_at <= excluded.reserved_at
  returning k.resource_id as message_id
),
accepted as materialized (
  select i.*, j.from_address, j.from_name, o.at + j.n * interval '1 microsecond' as created_at, '<' || j.message_id || '@' || split_part(j.from_address, '@', 2) || '>' as message_id_header
  from judged j join reserved r on r.message_id = j.message_id cross join moment o join input i on i.n = j.n
),
message as (
  insert into messages (tenant_id, id, environment_id, created_at, direction, mailbox_id, app_id,
    from_address, from_name, to_addresses, cc_addresses, bcc_addresses, subject, preview, 
    attachment_count, text, html, in_sent)
  select a.tenant_id, a.message_id, a.environment_id, a.created_at, 'outbound', a.mailbox_id, a.app_id,
    a.from_address, a.from_name, a.to_addresses, a.cc_addresses, a.bcc_addresses, a.subject, a.preview,
     a.attachment_count, a.text, a.html, true
  from accepted a order by a.n
),
state as (
  insert into message_states (tenant_id, message_id, status, recipients)
  select a.tenant_id, a.message_id, 'queued', a.recipients from accepted a  order by a.n
),
attachment as (
  insert into message_attachments (tenant_id, message_id, position, attachment_id, part_id)
  select a.tenant_id, a.message_id, (h.n - 1)::smallint, t.id, h.attachment ->> 'part_id'
  from accepted a
  cross join lateral json_array_elements(a.attachments) with ordinality as h (attachment, n)
  join taken t on t.tenant_id = a.tenant_id and t.id = (h.attachment ->> 'id')::uuid
  where a.attachment_count > 0
),
event as (
  insert into events (tenant_id, environment_id, epoch, id, type, resource_type, resource_id, data, occurred_at, app_id, key_id, request_id, client_address, user_agent)
  select a.tenant_id, a.environment_id, (select epoch from feed_epoch), a.event_id, 'message.queued', 'message',
    a.message_id, case when a.demo then json_build_object('mailboxId', a.mailbox_id,
      'direction', 'outbound', 'messageId', a.message_id_header, 'subject', a.subject,
      'from', json_build_object('address', a.from_address, 'name', a.from_name), 'to', a.to_addresses,
      'status', 'queued', 'demo', true) else json_build_object('mailboxId', a.mailbox_id,
      'direction', 'outbound', 'messageId', a.message_id_header, 'subject', a.subject,
      'from', json_build_object('address', a.from_address, 'name', a.from_name), 'to', a.to_addresses,
      'status', 'queued') end, a.created_at, a.app_id, a.key_id, a.request_id::uuid, a.client_address, a.user_agent
  from accepted a order by a.n
),
job as (
  insert into jobs (tenant_id, queue, lane, subject_id)
  select a.tenant_id, 'outbound', a.tenant_id, a.message_id from accepted a order by a.n
),
used as (
  update tenant_usage u set recipients = u.recipients + s.recipients
  from (select a.tenant_id, sum(a.recipient_count) as recipients from accepted a group by a.tenant_id) s
  where u.tenant_id = s.tenant_id and u.month = (select month from moment)
)
select case when a.message_id is not null then 'accepted' else coalesce(j.refusal, 'again') end as outcome,
  j.prior_id, j.capacity, j.used, j.stored, j.stored_limit, (select month + interval '1 month' from moment) at time zone 'UTC' as resets_at
from judged j left join accepted a on a.message_id = j.message_id
order by j.n
