-- Processes reserve requests before they let them through, instead of adding up what they have let through.

-- `requests`: what is reserved of the window by all processes. Beside it, what the last reservation was granted, and of
-- which limit: a statement that reserves for many subjects gives them back.
alter table rate_counts add column granted bigint not null default 0;
alter table rate_counts add column most bigint not null default 0;
