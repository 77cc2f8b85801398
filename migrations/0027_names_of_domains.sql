-- Whoever verifies a domain has its name; whoever has only added it keeps it from nobody.
alter table domains drop constraint domains_domain_key;
create unique index domains_verified on domains (domain) where verified;
create unique index domains_by_name on domains (tenant_id, domain);
