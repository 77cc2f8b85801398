-- The DKIM-Signature that a sent message begins with: the one field of its header that cannot be told from its row.
alter table messages add column dkim_signature text;
