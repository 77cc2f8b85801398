-- What is left of the data of an event of a message when an address in it is erased: its members, without what names or quotes
-- anybody. Of a synthetic one that has none of them nothing is left. Takes the data and gives it. Erasing twice changes nothing.
create or replace function erased_data(data json) returns json
language plpgsql immutable as $$
declare
  given constant jsonb := data::jsonb;
  kept constant text[] := '{mailboxId, direction, status, mailboxIds, reason, changes, bounce, smtpCode, enhancedCode, demo}';
  blanks constant jsonb := '{"messageId": null, "subject": "", "from": null, "to": [], "recipient": "", "diagnostic": null,
    "relayResponse": null}';
begin
  if not given ? 'direction' then
    return case when given ? 'demo' then '{"demo": true, "erased": true}' else '{"erased": true}' end::json;
  end if;
  return (
    select jsonb_object_agg(m.key, case when m.key = any (kept) then m.value else blanks -> m.key end)
      || '{"erased": true}'
    from jsonb_each(given) m
    where m.key = any (kept) or blanks ? m.key)::json;
end
$$;
