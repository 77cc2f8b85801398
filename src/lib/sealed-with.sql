-- Takes an envelope of secret-box.ts and gives the version of the key that made it, which stands in octets 2 to 5.
create or replace function sealed_with(envelope bytea) returns bigint language sql immutable parallel safe as $$
  select (get_byte(envelope, 1)::bigint << 24) + (get_byte(envelope, 2) << 16) + (get_byte(envelope, 3) << 8)
    + get_byte(envelope, 4)
$$;
