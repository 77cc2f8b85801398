-- Attachments that no message may have taken. One that is seen to be taken is never looked at again: it goes with the last
-- of its messages. So a sweep costs what is new, however much is kept.
alter table attachments add column is_loose boolean not null default true;
create index attachments_loose on attachments (created_at) where is_loose;
drop index attachments_by_age;
