-- What mailboxes have is counted folder by folder (ADR 65, ADR 66). What was counted before is counted anew.

truncate mailbox_messages, mailbox_amounts;

-- It is not read, in whichever folder.
alter table mailbox_messages add column folder text not null;

alter table mailbox_amounts drop constraint mailbox_amounts_pkey;
alter table mailbox_amounts add column folder text not null;
alter table mailbox_amounts add column messages bigint not null;
alter table mailbox_amounts add primary key (tenant_id, environment_id, mailbox_id, folder, id);

-- All logs are followed anew, as `mdk activity rebuild` does; the workers do it by themselves. One that was under way has
-- passed messages whose counts are gone: it begins again.
insert into activity_cursors (tenant_id, environment_id, build, epoch, xid, seq, followed)
select c.tenant_id, c.environment_id, max(c.build) + 1, 0, '0', 0, 0
from activity_cursors c
group by c.tenant_id, c.environment_id;

delete from activity_cursors c
where exists (
    select from activity_cursors o
    where o.tenant_id = c.tenant_id and o.environment_id = c.environment_id and o.build < c.build)
  and exists (
    select from activity_cursors o
    where o.tenant_id = c.tenant_id and o.environment_id = c.environment_id and o.build > c.build);
