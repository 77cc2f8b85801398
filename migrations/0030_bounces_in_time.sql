-- Who bounced or complained within a time (ADR 56): each of them in the order of time, of an environment and of an address.
create index bounces_in_time on bounces (tenant_id, environment_id, at desc, id desc);
create index bounces_of_address on bounces (tenant_id, environment_id, address, at desc, id desc);
