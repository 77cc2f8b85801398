-- Runs after a change of plans, tenants, applications or keys, once a statement (triggers.sql): moves the version by which
-- every process notices that what it remembers of credentials is out of date.
create or replace function bump_credential_version() returns trigger language plpgsql as $$
begin
  update credential_version set version = version + 1;
  return null;
end $$;
