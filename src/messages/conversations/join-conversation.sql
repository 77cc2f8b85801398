-- Puts a message that was just written into the conversation of those it has to do with: messages that have or mention one of
-- the Message-IDs that it has or mentions (`ids`: their digests), and sent ones whose Message-ID it mentions (`sent_ids` with the
-- domains behind them). Where these are in several conversations, the oldest takes in the others, as far as there is room:
-- a conversation has `most` messages. Gives the conversation; null when the message is alone. ADR 67.
create or replace function join_conversation(of_tenant uuid, new_message uuid, ids bigint[], sent_ids uuid[],
  sent_domains text[], most integer) returns uuid language plpgsql
  -- Its lists are short, and planning would take longer than all it does.
  set plan_cache_mode = force_generic_plan as $$
declare
  found record;
  joined uuid;
  joined_alone boolean;
  size integer;
begin
  -- Messages of a tenant join one after the other, until their commit: each statement below sees what all before have done.
  perform pg_advisory_xact_lock(hashtextextended('conversations of ' || of_tenant, 0));
  insert into message_references (tenant_id, message_id, digest)
  select of_tenant, new_message, n.digest from unnest(ids) as n (digest);
  for found in
    select f.conversation_id, bool_and(f.is_alone) as is_alone, greatest(1, (
        select count(*) from (
          select from conversation_messages o
          where o.tenant_id = of_tenant and o.conversation_id = f.conversation_id limit most
        ) o
      ))::integer as size
    from (
      select coalesce(c.conversation_id, k.message_id) as conversation_id, c.conversation_id is null as is_alone
      from (
        select m.id as message_id
        from unnest(sent_ids, sent_domains) as n (id, domain)
        cross join lateral (
          select m.id from messages m
          where m.id = n.id and m.tenant_id = of_tenant and m.environment_id = of_tenant and m.direction = 'outbound'
            and m.gone is null and lower(substring(m.from_address from '[^@]*$')) = lower(n.domain)
          limit 1
        ) m
        union
        select r.message_id
        from unnest(ids) as n (digest)
        cross join lateral (
          -- Those that share an id are in one conversation, but for one that is full.
          select r.message_id from message_references r
          where r.tenant_id = of_tenant and r.digest = n.digest and r.message_id <> new_message
          order by r.message_id desc limit 5
        ) r
      ) k
      left join lateral (
        select c.conversation_id from conversation_messages c
        where c.tenant_id = of_tenant and c.message_id = k.message_id limit 1
      ) c on true
    ) f
    group by f.conversation_id order by f.conversation_id
  loop
    if joined is null then
      if found.size < most then
        joined := found.conversation_id;
        joined_alone := found.is_alone;
        size := found.size + 1;
      end if;
    elsif size + found.size <= most then
      if found.is_alone then
        insert into conversation_messages (tenant_id, message_id, conversation_id, created_at, seq)
        select m.tenant_id, m.id, joined, m.created_at, m.seq from messages m
        where m.tenant_id = of_tenant and m.id = found.conversation_id
        on conflict do nothing;
      else
        -- What is being deleted at this moment is left to whoever deletes it.
        update conversation_messages c set conversation_id = joined
        where c.tenant_id = of_tenant and c.message_id in (
          select o.message_id from conversation_messages o
          where o.tenant_id = of_tenant and o.conversation_id = found.conversation_id
          for update skip locked);
      end if;
      size := size + found.size;
    end if;
  end loop;
  if joined is not null then
    insert into conversation_messages (tenant_id, message_id, conversation_id, created_at, seq)
    select m.tenant_id, m.id, joined, m.created_at, m.seq from messages m
    where m.tenant_id = of_tenant and (m.id = new_message or (joined_alone and m.id = joined))
    on conflict do nothing;
  end if;
  return joined;
end $$;
