-- What was said at the tries to submit a message that did not go through for everybody at once (ADR 53). Removed with the
-- message, by the statement that removes it.
create table submission_tries (
  tenant_id uuid not null,
  message_id uuid not null,
  -- Of the first of them, counted over those that are kept here: tries in a row at which the same was said share a row.
  number integer not null check (number > 0),
  times integer not null default 1 check (times > 0),
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- What the relay made of it, or what kept it from the relay.
  result text not null,
  -- [{positions, outcome, smtpCode, enhancedCode, text}]: recipients to whom the same was said stand together.
  answers json not null,
  -- After the last of them; null when no other followed.
  next_attempt_at timestamptz,
  primary key (tenant_id, message_id, number)
) with (fillfactor = 70);
