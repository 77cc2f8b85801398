-- Which changes of credentials every process is to notice (bump-credential-version.sql).
create or replace trigger plans_changed after insert or update or delete on plans
  for each statement execute function bump_credential_version();
create or replace trigger tenants_changed after update of plan, status or delete on tenants
  for each statement execute function bump_credential_version();
create or replace trigger apps_changed after update or delete on apps
  for each statement execute function bump_credential_version();
create or replace trigger api_keys_changed after update or delete on api_keys
  for each statement execute function bump_credential_version();
