-- Which conversations received mail and what it answers are in (ADR 67).

-- The messages of conversations: those that answer another, or that another answers. A message without a row is alone.
create table conversation_messages (
  tenant_id uuid not null,
  message_id uuid not null,
  -- The id of the message that it began with, in the order in which they came. That one may be gone.
  conversation_id uuid not null,
  -- The message's place in the order.
  created_at timestamptz not null,
  seq bigint not null,
  primary key (tenant_id, message_id)
);
create index conversation_messages_in_order
  on conversation_messages (tenant_id, conversation_id, created_at desc, seq desc);

-- The Message-IDs by which received mail is found: its own, and those that it mentions.
create table message_references (
  tenant_id uuid not null,
  message_id uuid not null,
  -- The first 64 bits of the SHA-256 of a Message-ID with its angle brackets.
  digest bigint not null,
  primary key (tenant_id, message_id, digest)
);
create index message_references_by_digest on message_references (tenant_id, digest, message_id desc);

-- What is there already is found by what comes next.
insert into message_references (tenant_id, message_id, digest)
select distinct m.tenant_id, m.id, ('x' || encode(substr(sha256(convert_to(i.id, 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint
from messages m
left join message_contents c on c.tenant_id = m.tenant_id and c.message_id = m.id
cross join lateral (
  select m.message_id as id
  union
  select m.in_reply_to
  union
  select r.id from jsonb_array_elements_text(c.reference_ids) with ordinality as r (id, position)
  where r.position = 1 or r.position > jsonb_array_length(c.reference_ids) - 18
) i
where m.direction = 'inbound' and m.gone is null and i.id is not null
  and exists (
    select from message_entries e where e.tenant_id = m.tenant_id and e.message_id = m.id and e.folder <> 'spam');
