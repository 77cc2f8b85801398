-- What an Owner sets for a tenant, and what shows the use of it and finds its things.

-- Whether people with a role see what messages say (ADR 59). What keys and mailbox users see does not depend on it.
alter table tenants add column people_see_content boolean not null default true;

-- A mailbox by the beginning of its address. And activity_counts are of applications, too, for what they have sent (ADR 51).
create index mailboxes_by_address on mailboxes (tenant_id, address text_pattern_ops);
