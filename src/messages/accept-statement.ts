// The accepting statement. It is the same for applications and for mailbox users, but for what is theirs alone: what is known
// of the one has been written in `accept-authors.ts`. Knows nothing of when it is carried out.

/** What the statement holds of one kind of author, as text of its own. */
export interface AuthorSql {
  /** Columns of a request that others have not, with their types, and their names; each begins with a comma. */
  columns: string
  names: string
  fromName: string
  priorId: string
  /** Why a request is not taken whatever else holds, as the first cases of a `case`. */
  judged: string
  /** The join by which that is known. */
  lookedUp: string
  /** What makes sure that a request that fits is taken once. Gives `message_id`. */
  reserved: string
  senderColumns: string
  senderValues: string
  /** Parameters: what is said of an address to which mail is stopped. */
  suppressed: readonly [string, string]
}

// How it reads, from top to bottom: take the tenants' turns (their usage rows, locked in order, so that two groups
// that share tenants wait for each other and never in a circle) and the attachments; judge each request; reserve the
// keys of those that fit; write everything for those whose key was reserved, but no job for a message that nobody gets.
// `limit 1` keeps look-ups by index whatever the planner believes of a young table.
export function acceptStatement(author: AuthorSql): string {
  return `
    with moment as materialized (
      select at, date_trunc('month', at at time zone 'UTC')::date as month from (select clock_timestamp() as at) as t
    ),
    input as materialized (
      select r.*, json_array_length(r.recipients) as recipient_count, json_array_length(r.attachments) as attachment_count
      from rows from (json_to_recordset($1::json) as (
        tenant_id uuid, app_id uuid, key_id uuid, environment_id uuid, demo boolean, idempotency_key text,
        request_hash text, message_id uuid, event_id uuid, mailbox_id uuid, to_addresses json, cc_addresses json,
        bcc_addresses json, recipients json, keys json, subject text, text text, html text, preview text, attachments json,
        refusal text, client_address text, user_agent text, request_id uuid${author.columns}),
        unnest($2::bigint[])) with ordinality as r (
        tenant_id, app_id, key_id, environment_id, demo, idempotency_key, request_hash, message_id, event_id,
        mailbox_id, to_addresses, cc_addresses, bcc_addresses, recipients, keys, subject, text, html, preview,
        attachments, refused, client_address, user_agent, request_id${author.names}, since_now, n)
    ),
    turn as materialized (
      select u.tenant_id, u.recipients as used, t.suppressions > 0 as suppresses, p.messages_per_month as capacity,
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
    -- Locked before they are judged, in an order that all keep: none is removed while a message takes it.
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
      select i.n, i.tenant_id, i.app_id, i.idempotency_key, i.request_hash, i.message_id, i.recipient_count,
        t.used, t.capacity, t.stored, t.stored_limit, m.address as from_address, ${author.fromName} as from_name, ${author.priorId} as prior_id,
        case
${author.judged}          when m.status is null then 'no_mailbox'
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
${author.lookedUp}    ),
    fitting as (
      select f.* from (
        select j.*, j.capacity = 0 or j.used + sum(j.recipient_count) over (
          partition by j.tenant_id order by j.n rows unbounded preceding) <= j.capacity as fits
        from judged j where j.refusal is null
      ) f where f.fits
    ),
${author.reserved}    -- Who gets no mail, of the recipients of a tenant that has stopped somebody. Of any other nobody is looked up.
    suppressed as materialized (
      select i.n, h.place, h.recipient ->> 'address' as address
      from (
        select i.n, i.tenant_id, i.environment_id, i.recipients, i.keys
        from turn t join input i on i.tenant_id = t.tenant_id where t.suppresses offset 0
      ) i
      cross join lateral json_array_elements(i.recipients) with ordinality as h (recipient, place)
      cross join lateral (
        select from suppressions s
        where s.tenant_id = i.tenant_id and s.environment_id = i.environment_id
          and s.address = coalesce(i.keys ->> (h.place - 1)::integer, lower(h.recipient ->> 'address' collate "C")) limit 1
      ) s
    ),
    -- Their messages, with the recipients as they are then.
    stopped as materialized (
      select i.n, count(s.place)::integer as recipient_count, json_agg(case when s.place is null then h.recipient
        else (h.recipient::jsonb || jsonb_build_object('status', 'failed', 'diagnostic', ${author.suppressed[0]}::text))::json end
        order by h.place) as recipients
      from (select i.n, i.recipients from input i where i.n in (select s.n from suppressed s) offset 0) i
      cross join lateral json_array_elements(i.recipients) with ordinality as h (recipient, place)
      left join suppressed s on s.n = i.n and s.place = h.place
      group by i.n
    ),
    accepted as materialized (
      select i.*, i.recipient_count - coalesce(s.recipient_count, 0) as open,
        coalesce(s.recipients, i.recipients) as recipients_now, j.from_address, j.from_name,
        o.at + i.since_now * interval '1 microsecond' as created_at, o.at + i.n * interval '1 microsecond' as accepted_at,
        '<' || i.message_id || '@' || split_part(j.from_address, '@', 2) || '>' as message_id_header
      from judged j
      join reserved r on r.message_id = j.message_id
      join input i on i.n = j.n
      left join stopped s on s.n = j.n
      cross join moment o
    ),
    message as (
      insert into messages (tenant_id, id, environment_id, created_at, direction, mailbox_id, ${author.senderColumns}, from_address,
        from_name, to_addresses, cc_addresses, bcc_addresses, subject, preview, attachment_count, in_sent, text, html)
      select a.tenant_id, a.message_id, a.environment_id, a.created_at, 'outbound', a.mailbox_id, ${author.senderValues},
        a.from_address, a.from_name, a.to_addresses, a.cc_addresses, a.bcc_addresses, a.subject, a.preview,
        a.attachment_count, true, a.text, a.html
      from accepted a order by a.n
      returning id, seq
    ),
    state as (
      insert into message_states (tenant_id, message_id, status, open, recipients)
      select a.tenant_id, a.message_id, 'queued', a.open, a.recipients_now from accepted a where a.open > 0 order by a.n
    ),
    -- Of a message that nobody gets.
    state_failed as (
      insert into message_states (tenant_id, message_id, status, open, recipients, failed_environment_id, failed_created_at,
        failed_seq)
      select a.tenant_id, a.message_id, 'failed', 0, a.recipients_now, a.environment_id, a.created_at, m.seq
      from accepted a join message m on m.id = a.message_id where a.open = 0 order by a.n
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
      insert into events (tenant_id, environment_id, epoch, id, type, resource_type, resource_id, data, occurred_at, app_id,
        key_id, request_id, client_address, user_agent)
      select e.tenant_id, e.environment_id, (select epoch from feed_epoch), e.id, e.type, 'message', e.message_id, e.data,
        e.accepted_at, e.app_id, e.key_id, e.request_id, e.client_address, e.user_agent
      from (
        select a.n, 0::bigint as place, a.tenant_id, a.environment_id, a.event_id as id, 'message.queued' as type, a.message_id,
          case when a.demo then json_build_object('mailboxId', a.mailbox_id, 'direction', 'outbound',
            'messageId', a.message_id_header, 'subject', a.subject,
            'from', json_build_object('address', a.from_address, 'name', a.from_name), 'to', a.to_addresses,
            'status', 'queued', 'demo', true)
          else json_build_object('mailboxId', a.mailbox_id, 'direction', 'outbound',
            'messageId', a.message_id_header, 'subject', a.subject,
            'from', json_build_object('address', a.from_address, 'name', a.from_name), 'to', a.to_addresses,
            'status', 'queued') end as data,
          a.accepted_at, a.app_id, a.key_id, a.request_id, a.client_address, a.user_agent
        from accepted a
        union all
        -- The last of a message that nobody gets says that it has failed.
        select a.n, s.place, a.tenant_id, a.environment_id, new_uuid(a.accepted_at), 'message.failed', a.message_id,
          (jsonb_build_object('mailboxId', a.mailbox_id, 'direction', 'outbound', 'messageId', a.message_id_header,
            'subject', a.subject, 'from', jsonb_build_object('address', a.from_address, 'name', a.from_name),
            'to', a.to_addresses, 'status', case when s.place = a.recipient_count and a.open = 0 then 'failed' else 'queued' end,
            'recipient', s.address, 'smtpCode', null, 'enhancedCode', null, 'diagnostic', ${author.suppressed[1]}::text)
            || case when a.demo then '{"demo": true}' else '{}' end::jsonb)::json,
          a.accepted_at, null, null, null, null, null
        from suppressed s join accepted a on a.n = s.n
      ) e
      order by e.n, e.place
    ),
    job as (
      insert into jobs (tenant_id, queue, lane, subject_id)
      select a.tenant_id, 'outbound', a.tenant_id, a.message_id from accepted a where a.open > 0 order by a.n
    ),
    used as (
      update tenant_usage u set recipients = u.recipients + s.recipients
      from (select a.tenant_id, sum(a.recipient_count) as recipients from accepted a group by a.tenant_id) s
      where u.tenant_id = s.tenant_id and u.month = (select month from moment)
    )
    select case when a.message_id is not null then 'accepted' else coalesce(j.refusal, 'again') end as outcome,
      j.prior_id, j.capacity, j.used, j.stored, j.stored_limit, (select month + interval '1 month' from moment) at time zone 'UTC' as resets_at
    from judged j left join accepted a on a.message_id = j.message_id
    order by j.n`
}
