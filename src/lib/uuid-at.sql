-- Gives the least UUIDv7 (RFC 9562 §5.7) of a moment: what was made before it has a lesser one.
create or replace function uuid_at(moment timestamptz) returns uuid language sql immutable parallel safe as $$
  select encode(substring(int8send((extract(epoch from moment) * 1000)::bigint) from 3) || '\x70008000000000000000',
    'hex')::uuid
$$;
