-- What the migrations and the files of functions and triggers come to. Written by `npm run schema`; a test fails when it is out of date.

create table activity_counts (
  tenant_id uuid not null,
  environment_id uuid not null,
  build integer not null,
  subject_id uuid not null,
  at timestamp with time zone not null,
  type text not null,
  count bigint not null,
  constraint activity_counts_pkey PRIMARY KEY (tenant_id, environment_id, build, subject_id, at, type),
  constraint activity_counts_count_check CHECK ((count > 0))
);
CREATE INDEX activity_counts_old ON public.activity_counts USING btree (at);

create table activity_cursors (
  tenant_id uuid not null,
  environment_id uuid not null,
  build integer not null,
  epoch integer not null,
  xid xid8 not null,
  seq bigint not null,
  followed bigint not null,
  constraint activity_cursors_pkey PRIMARY KEY (tenant_id, environment_id, build)
);

create table answered_challenges (
  challenge_hash bytea not null,
  answered_at timestamp with time zone default clock_timestamp() not null,
  constraint answered_challenges_pkey PRIMARY KEY (challenge_hash),
  constraint answered_challenges_challenge_hash_check CHECK ((octet_length(challenge_hash) = 32))
);
CREATE INDEX answered_challenges_by_age ON public.answered_challenges USING btree (answered_at);

create table api_key_requests (
  tenant_id uuid not null,
  key_id uuid not null,
  day date not null,
  requests bigint not null,
  constraint api_key_requests_pkey PRIMARY KEY (tenant_id, key_id, day),
  constraint api_key_requests_requests_check CHECK ((requests > 0))
) with (fillfactor = 50);
CREATE INDEX api_key_requests_by_day ON public.api_key_requests USING btree (day);

create table api_key_usage (
  tenant_id uuid not null,
  key_id uuid not null,
  last_used_at timestamp with time zone not null,
  constraint api_key_usage_pkey PRIMARY KEY (tenant_id, key_id)
);

create table api_keys (
  tenant_id uuid not null,
  id uuid not null,
  app_id uuid not null,
  name text,
  public_id text not null,
  secret_hash text not null,
  secret_tag bytea not null,
  scopes text[] not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  made_by_person uuid,
  made_by_account text,
  replaces uuid,
  constraint api_keys_pkey PRIMARY KEY (tenant_id, id),
  constraint api_keys_id_key UNIQUE (id),
  constraint api_keys_public_id_key UNIQUE (public_id),
  constraint api_keys_tenant_id_app_id_fkey FOREIGN KEY (tenant_id, app_id) REFERENCES apps(tenant_id, id),
  constraint api_keys_tenant_id_replaces_fkey FOREIGN KEY (tenant_id, replaces) REFERENCES api_keys(tenant_id, id),
  constraint api_keys_one_maker CHECK ((num_nonnulls(made_by_person, made_by_account) <= 1)),
  constraint api_keys_public_id_check CHECK ((length(public_id) = 22)),
  constraint api_keys_scopes_check CHECK ((cardinality(scopes) > 0)),
  constraint api_keys_secret_tag_check CHECK ((octet_length(secret_tag) = 4))
);
CREATE INDEX api_keys_by_app ON public.api_keys USING btree (tenant_id, app_id);

create table apps (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  environment text not null,
  status text not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint apps_pkey PRIMARY KEY (tenant_id, id),
  constraint apps_id_key UNIQUE (id),
  constraint apps_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint apps_environment_check CHECK ((environment = ANY (ARRAY['production'::text, 'sandbox'::text]))),
  constraint apps_status_check CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text])))
);

create table attachments (
  tenant_id uuid not null,
  id uuid not null,
  environment_id uuid not null,
  mailbox_id uuid not null,
  filename text not null,
  media_type text not null,
  size_bytes bigint not null,
  sha256 bytea not null,
  disposition text not null,
  content_id text,
  object_key text not null,
  created_at timestamp with time zone not null,
  is_loose boolean default true not null,
  constraint attachments_pkey PRIMARY KEY (tenant_id, id),
  constraint attachments_disposition_check CHECK ((disposition = ANY (ARRAY['attachment'::text, 'inline'::text]))),
  constraint attachments_sha256_check CHECK ((length(sha256) = 32)),
  constraint attachments_size_bytes_check CHECK ((size_bytes >= 0))
);
CREATE INDEX attachments_loose ON public.attachments USING btree (created_at) WHERE is_loose;

create table audit_log (
  tenant_id uuid,
  id uuid not null,
  at timestamp with time zone not null,
  app_id uuid,
  key_id uuid,
  person_id uuid,
  mailbox_user_id uuid,
  account text,
  operation text not null,
  resource_type text not null,
  resource_id uuid,
  client_address text,
  user_agent text,
  request_id text,
  actor_name text,
  details jsonb
);
CREATE INDEX audit_log_by_age ON public.audit_log USING btree ((at AT TIME ZONE 'UTC'::text), id);
CREATE INDEX audit_log_by_operation ON public.audit_log USING btree (tenant_id, operation, at DESC, id DESC);
CREATE INDEX audit_log_by_people ON public.audit_log USING btree (tenant_id, at DESC, id DESC) WHERE (app_id IS NULL);
CREATE INDEX audit_log_by_resource ON public.audit_log USING btree (tenant_id, resource_id, at DESC, id DESC) WHERE (resource_id IS NOT NULL);
CREATE INDEX audit_log_by_tenant ON public.audit_log USING btree (tenant_id, at DESC, id DESC);

create table bounced_addresses (
  tenant_id uuid not null,
  environment_id uuid not null,
  address text not null,
  id uuid not null,
  bounces integer not null,
  complaints integer not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  last_message_id uuid not null,
  last_kind text not null,
  smtp_code integer,
  enhanced_code text,
  diagnostic text,
  constraint bounced_addresses_pkey PRIMARY KEY (tenant_id, environment_id, address),
  constraint bounced_addresses_bounces_check CHECK ((bounces >= 0)),
  constraint bounced_addresses_complaints_check CHECK ((complaints >= 0)),
  constraint bounced_addresses_last_kind_check CHECK ((last_kind = ANY (ARRAY['bounced'::text, 'complained'::text])))
) with (fillfactor = 90);
CREATE INDEX bounced_addresses_bounced ON public.bounced_addresses USING btree (tenant_id, environment_id, last_at DESC, id DESC) WHERE (bounces > 0);
CREATE INDEX bounced_addresses_by_age ON public.bounced_addresses USING btree (last_at);
CREATE INDEX bounced_addresses_complained ON public.bounced_addresses USING btree (tenant_id, environment_id, last_at DESC, id DESC) WHERE (complaints > 0);
CREATE INDEX bounced_addresses_page ON public.bounced_addresses USING btree (tenant_id, environment_id, last_at DESC, id DESC);

create table bounces (
  tenant_id uuid not null,
  environment_id uuid not null,
  address text not null,
  id uuid not null,
  message_id uuid not null,
  kind text not null,
  at timestamp with time zone not null,
  smtp_code integer,
  enhanced_code text,
  diagnostic text,
  constraint bounces_pkey PRIMARY KEY (tenant_id, environment_id, address, id),
  constraint bounces_kind_check CHECK ((kind = ANY (ARRAY['bounced'::text, 'complained'::text])))
);
CREATE INDEX bounces_by_age ON public.bounces USING btree (at);
CREATE INDEX bounces_in_time ON public.bounces USING btree (tenant_id, environment_id, at DESC, id DESC);
CREATE INDEX bounces_of_address ON public.bounces USING btree (tenant_id, environment_id, address, at DESC, id DESC);

create table conversation_messages (
  tenant_id uuid not null,
  message_id uuid not null,
  conversation_id uuid not null,
  created_at timestamp with time zone not null,
  seq bigint not null,
  constraint conversation_messages_pkey PRIMARY KEY (tenant_id, message_id)
);
CREATE INDEX conversation_messages_in_order ON public.conversation_messages USING btree (tenant_id, conversation_id, created_at DESC, seq DESC);

create table correspondent_words (
  tenant_id uuid not null,
  mailbox_id uuid not null,
  word text not null,
  key text not null,
  constraint correspondent_words_pkey PRIMARY KEY (tenant_id, mailbox_id, word, key)
);
CREATE INDEX correspondent_words_of_one ON public.correspondent_words USING btree (tenant_id, mailbox_id, key);

create table correspondents (
  tenant_id uuid not null,
  mailbox_id uuid not null,
  key text not null,
  address text not null,
  name text,
  named_at double precision not null,
  mails jsonb not null,
  rank double precision not null,
  found_by text not null,
  constraint correspondents_pkey PRIMARY KEY (tenant_id, mailbox_id, key)
);
CREATE INDEX correspondents_by_rank ON public.correspondents USING btree (tenant_id, mailbox_id, rank DESC, key);

create table credential_version (
  single boolean default true not null,
  version bigint not null,
  constraint credential_version_pkey PRIMARY KEY (single),
  constraint credential_version_single_check CHECK (single)
);

create table dead_letters (
  tenant_id uuid not null,
  id bigint not null,
  queue text not null,
  lane uuid not null,
  subject_id uuid not null,
  payload jsonb,
  reason text not null,
  receptions integer not null,
  dead_at timestamp with time zone default clock_timestamp() not null,
  constraint dead_letters_pkey PRIMARY KEY (tenant_id, id),
  constraint dead_letters_id_key UNIQUE (id)
);
CREATE INDEX dead_letters_by_age ON public.dead_letters USING btree (dead_at DESC, id DESC);
CREATE INDEX dead_letters_by_queue ON public.dead_letters USING btree (queue, dead_at DESC, id DESC);

create table dkim_turns (
  tenant_id uuid not null,
  domain_id uuid not null,
  next_selector text,
  next_public_key text,
  next_private_key bytea,
  previous_selector text,
  previous_public_key text,
  previous_until timestamp with time zone,
  constraint dkim_turns_pkey PRIMARY KEY (tenant_id, domain_id),
  constraint dkim_turns_tenant_id_domain_id_fkey FOREIGN KEY (tenant_id, domain_id) REFERENCES domains(tenant_id, id) ON DELETE CASCADE,
  constraint dkim_turns_next CHECK ((num_nonnulls(next_selector, next_public_key, next_private_key) = ANY (ARRAY[0, 3]))),
  constraint dkim_turns_one CHECK (((next_selector IS NULL) = (previous_until IS NOT NULL)))
);

create table domains (
  tenant_id uuid not null,
  id uuid not null,
  domain text not null,
  verified boolean not null,
  verification_token text not null,
  vouched boolean default false not null,
  dkim_selector text,
  dkim_public_key text,
  dkim_private_key bytea,
  health text not null,
  check_round bigint default 0 not null,
  check_due_at timestamp with time zone default clock_timestamp() not null,
  checked_at timestamp with time zone,
  created_at timestamp with time zone default clock_timestamp() not null,
  checks jsonb,
  check_begun_at timestamp with time zone,
  constraint domains_pkey PRIMARY KEY (tenant_id, id),
  constraint domains_id_key UNIQUE (id),
  constraint domains_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint domains_dkim_whole CHECK ((num_nonnulls(dkim_selector, dkim_public_key, dkim_private_key) = ANY (ARRAY[0, 3]))),
  constraint domains_domain_check CHECK ((domain = lower(domain))),
  constraint domains_health_check CHECK ((health = ANY (ARRAY['pending'::text, 'healthy'::text, 'degraded'::text, 'failing'::text])))
);
CREATE INDEX domains_by_check ON public.domains USING btree (check_due_at);
CREATE UNIQUE INDEX domains_by_name ON public.domains USING btree (tenant_id, domain);
CREATE UNIQUE INDEX domains_verified ON public.domains USING btree (domain) WHERE verified;

create table draft_attachments (
  tenant_id uuid not null,
  draft_id uuid not null,
  "position" smallint not null,
  attachment_id uuid not null,
  constraint draft_attachments_pkey PRIMARY KEY (tenant_id, draft_id, "position")
);
CREATE INDEX draft_attachments_by_attachment ON public.draft_attachments USING btree (tenant_id, attachment_id);

create table drafts (
  tenant_id uuid not null,
  id uuid not null,
  mailbox_id uuid not null,
  message_id uuid not null,
  version integer not null,
  content_sha256 bytea not null,
  kind text not null,
  answers uuid,
  in_reply_to text,
  reference_ids text[] default '{}'::text[] not null,
  to_addresses json not null,
  cc_addresses json not null,
  bcc_addresses json not null,
  subject text not null,
  format text not null,
  body text not null,
  preview text not null,
  quote_html text,
  quote_attribution text,
  due_at timestamp with time zone,
  is_scheduled boolean,
  sender_id uuid,
  client_address text,
  user_agent text,
  request_id uuid,
  failure_code text,
  failure_message text,
  created_at timestamp with time zone default clock_timestamp() not null,
  saved_at timestamp with time zone default clock_timestamp() not null,
  saved_by text not null,
  constraint drafts_pkey PRIMARY KEY (tenant_id, id),
  constraint drafts_content_sha256_check CHECK ((length(content_sha256) = 32)),
  constraint drafts_due CHECK ((num_nonnulls(due_at, is_scheduled, sender_id, client_address, request_id) = ANY (ARRAY[0, 5]))),
  constraint drafts_due_or_failed CHECK (((due_at IS NULL) OR (failure_code IS NULL))),
  constraint drafts_failure CHECK (((failure_code IS NULL) = (failure_message IS NULL))),
  constraint drafts_format_check CHECK ((format = ANY (ARRAY['html'::text, 'text'::text]))),
  constraint drafts_kind_check CHECK ((kind = ANY (ARRAY['new'::text, 'reply'::text, 'reply_all'::text, 'forward'::text]))),
  constraint drafts_quote CHECK (((quote_html IS NULL) = (quote_attribution IS NULL))),
  constraint drafts_version_check CHECK ((version >= 1))
);
CREATE INDEX drafts_of_mailbox ON public.drafts USING btree (tenant_id, mailbox_id, saved_at DESC, id DESC);

create table ended_drafts (
  tenant_id uuid not null,
  id uuid not null,
  mailbox_id uuid not null,
  message_id uuid,
  version integer,
  due_at timestamp with time zone,
  is_scheduled boolean,
  ended_at timestamp with time zone default clock_timestamp() not null,
  constraint ended_drafts_pkey PRIMARY KEY (tenant_id, id),
  constraint ended_drafts_sent CHECK ((num_nonnulls(message_id, version, due_at, is_scheduled) = ANY (ARRAY[0, 4])))
);
CREATE INDEX ended_drafts_by_age ON public.ended_drafts USING btree (ended_at);

create table events (
  tenant_id uuid not null,
  environment_id uuid not null,
  epoch integer not null,
  xid xid8 default pg_current_xact_id() not null,
  seq bigint generated always as identity not null,
  id uuid not null,
  type text not null,
  resource_type text not null,
  resource_id uuid not null,
  data json not null,
  occurred_at timestamp with time zone not null,
  app_id uuid,
  key_id uuid,
  request_id uuid,
  client_address text,
  user_agent text,
  constraint events_pkey PRIMARY KEY (tenant_id, environment_id, epoch, xid, seq)
);
CREATE INDEX events_by_id ON public.events USING btree (id);
CREATE INDEX events_of_keys ON public.events USING btree (tenant_id, occurred_at DESC) WHERE (key_id IS NOT NULL);
CREATE INDEX events_of_rare_types ON public.events USING btree (tenant_id, environment_id, type, epoch, xid, seq) WHERE (type <> ALL (ARRAY['message.received'::text, 'message.queued'::text, 'message.sent'::text, 'message.delivered'::text, 'message.updated'::text]));
CREATE INDEX events_of_resource ON public.events USING btree (resource_id, epoch, xid, seq);

create table feed_epoch (
  single boolean default true not null,
  epoch integer not null,
  server_started_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  constraint feed_epoch_pkey PRIMARY KEY (single),
  constraint feed_epoch_single_check CHECK (single)
);

create table held_lanes (
  tenant_id uuid not null,
  queue text not null,
  lane uuid not null,
  held_until timestamp with time zone not null,
  release_at timestamp with time zone,
  constraint held_lanes_pkey PRIMARY KEY (tenant_id, queue, lane)
) with (fillfactor = 50);
CREATE INDEX held_lanes_release ON public.held_lanes USING btree (queue, release_at) WHERE (release_at IS NOT NULL);

create table idempotency_keys (
  tenant_id uuid not null,
  author_id uuid not null,
  key text not null,
  operation text not null,
  target text not null,
  request_hash bytea not null,
  status_code smallint,
  resource_id uuid,
  response json,
  reserved_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint idempotency_keys_pkey PRIMARY KEY (author_id, key),
  constraint idempotency_keys_check CHECK (((response IS NULL) OR (status_code IS NOT NULL))),
  constraint idempotency_keys_request_hash_check CHECK ((length(request_hash) = 32))
);
CREATE INDEX idempotency_keys_by_expiry ON public.idempotency_keys USING btree (expires_at);

create table identities (
  tenant_id uuid not null,
  issuer text not null,
  subject text not null,
  person_id uuid not null,
  linked_at timestamp with time zone default clock_timestamp() not null,
  constraint identities_pkey PRIMARY KEY (tenant_id, issuer, subject),
  constraint identities_tenant_id_issuer_fkey FOREIGN KEY (tenant_id, issuer) REFERENCES single_sign_on(tenant_id, issuer) ON DELETE CASCADE,
  constraint identities_tenant_id_person_id_fkey FOREIGN KEY (tenant_id, person_id) REFERENCES memberships(tenant_id, person_id) ON DELETE CASCADE
);
CREATE INDEX identities_by_person ON public.identities USING btree (person_id);

create table image_senders (
  tenant_id uuid not null,
  user_id uuid not null,
  address text not null,
  added_at timestamp with time zone default clock_timestamp() not null,
  constraint image_senders_pkey PRIMARY KEY (tenant_id, user_id, address),
  constraint image_senders_tenant_id_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES users(tenant_id, id) ON DELETE CASCADE,
  constraint image_senders_address_check CHECK ((address = lower(address)))
);

create table inbound_receipts (
  tenant_id uuid not null,
  digest bytea not null,
  message_id uuid not null,
  received_at timestamp with time zone not null,
  constraint inbound_receipts_pkey PRIMARY KEY (tenant_id, digest),
  constraint inbound_receipts_digest_check CHECK ((length(digest) = 32))
);
CREATE INDEX inbound_receipts_by_age ON public.inbound_receipts USING btree (received_at);

create table jobs (
  tenant_id uuid not null,
  id bigint generated always as identity not null,
  queue text not null,
  lane uuid not null,
  subject_id uuid not null,
  payload jsonb,
  state text default 'ready'::text not null,
  due_at timestamp with time zone default clock_timestamp() not null,
  resumable_at timestamp with time zone,
  receptions integer default 0 not null,
  claim uuid,
  leased_until timestamp with time zone,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint jobs_pkey PRIMARY KEY (tenant_id, id),
  constraint jobs_check CHECK (((state = 'leased'::text) = (claim IS NOT NULL))),
  constraint jobs_check1 CHECK (((state = 'leased'::text) = (leased_until IS NOT NULL))),
  constraint jobs_receptions_check CHECK ((receptions >= 0)),
  constraint jobs_state_check CHECK ((state = ANY (ARRAY['scheduled'::text, 'ready'::text, 'leased'::text, 'held'::text])))
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_insert_scale_factor = 0.1, autovacuum_analyze_scale_factor = 0.1, autovacuum_analyze_threshold = 2000, autovacuum_vacuum_cost_delay = 0, vacuum_truncate = off);
CREATE INDEX jobs_expiring ON public.jobs USING btree (queue, leased_until) WHERE (leased_until IS NOT NULL);
CREATE INDEX jobs_held ON public.jobs USING btree (queue, tenant_id, lane, due_at, id) WHERE (state = 'held'::text);
CREATE INDEX jobs_leased ON public.jobs USING btree (queue, tenant_id, lane) WITH (deduplicate_items=off) WHERE (state = 'leased'::text);
CREATE INDEX jobs_put_off ON public.jobs USING btree (queue, created_at) WHERE (due_at > created_at);
CREATE INDEX jobs_ready ON public.jobs USING btree (queue, tenant_id, lane, due_at, id) WHERE (state = 'ready'::text);
CREATE INDEX jobs_received ON public.jobs USING btree (tenant_id, subject_id) WHERE ((receptions > 0) AND (claim IS NULL));
CREATE INDEX jobs_resumable ON public.jobs USING btree (queue, tenant_id, lane, resumable_at) WHERE ((state = 'scheduled'::text) AND (resumable_at IS NOT NULL));
CREATE INDEX jobs_scheduled ON public.jobs USING btree (queue, due_at) WHERE (state = 'scheduled'::text);

create table known_devices (
  tenant_id uuid not null,
  user_id uuid not null,
  device_hash bytea not null,
  last_seen_at timestamp with time zone default clock_timestamp() not null,
  constraint known_devices_pkey PRIMARY KEY (tenant_id, user_id, device_hash),
  constraint known_devices_tenant_id_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES users(tenant_id, id) ON DELETE CASCADE,
  constraint known_devices_device_hash_check CHECK ((octet_length(device_hash) = 32))
) with (fillfactor = 80);
CREATE INDEX known_devices_by_age ON public.known_devices USING btree (last_seen_at);

create table lane_caps (
  tenant_id uuid not null,
  queue text not null,
  lane uuid not null,
  cap integer not null,
  constraint lane_caps_pkey PRIMARY KEY (tenant_id, queue, lane),
  constraint lane_caps_cap_check CHECK ((cap > 0))
);

create table link_requests (
  key bytea not null,
  requests integer not null,
  since timestamp with time zone not null,
  constraint link_requests_pkey PRIMARY KEY (key),
  constraint link_requests_key_check CHECK ((octet_length(key) = 32)),
  constraint link_requests_requests_check CHECK ((requests > 0))
) with (fillfactor = 80);
CREATE INDEX link_requests_by_age ON public.link_requests USING btree (since);

create table mailbox_access (
  tenant_id uuid not null,
  mailbox_user_id uuid not null,
  mailbox_id uuid not null,
  access text not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint mailbox_access_pkey PRIMARY KEY (tenant_id, mailbox_user_id, mailbox_id),
  constraint mailbox_access_tenant_id_mailbox_id_fkey FOREIGN KEY (tenant_id, mailbox_id) REFERENCES mailboxes(tenant_id, id),
  constraint mailbox_access_tenant_id_mailbox_user_id_fkey FOREIGN KEY (tenant_id, mailbox_user_id) REFERENCES users(tenant_id, id) ON DELETE CASCADE,
  constraint mailbox_access_access_check CHECK ((access = ANY (ARRAY['read'::text, 'write'::text])))
);
CREATE INDEX mailbox_access_by_mailbox ON public.mailbox_access USING btree (tenant_id, mailbox_id);

create table mailbox_amounts (
  tenant_id uuid not null,
  environment_id uuid not null,
  mailbox_id uuid not null,
  id bigint generated always as identity not null,
  size_bytes bigint not null,
  unread bigint not null,
  folder text not null,
  messages bigint not null,
  constraint mailbox_amounts_pkey PRIMARY KEY (tenant_id, environment_id, mailbox_id, folder, id)
);

create table mailbox_messages (
  tenant_id uuid not null,
  message_id uuid not null,
  mailbox_id uuid not null,
  environment_id uuid not null,
  size_bytes bigint not null,
  is_unread boolean not null,
  folder text not null,
  constraint mailbox_messages_pkey PRIMARY KEY (tenant_id, message_id, mailbox_id),
  constraint mailbox_messages_size_bytes_check CHECK ((size_bytes >= 0))
);

create table mailbox_search (
  tenant_id uuid not null,
  message_id uuid not null,
  mailbox_id uuid not null,
  created_at timestamp with time zone not null,
  seq bigint not null,
  words tsvector not null,
  constraint mailbox_search_pkey PRIMARY KEY (tenant_id, message_id, mailbox_id)
);
CREATE INDEX mailbox_search_words ON public.mailbox_search USING gin (words) WITH (gin_pending_list_limit='256');

create table mailbox_spans (
  tenant_id uuid not null,
  mailbox_id uuid not null,
  begins_at timestamp with time zone not null,
  id bigint generated always as identity not null,
  oldest_at timestamp with time zone not null,
  newest_at timestamp with time zone not null,
  messages integer not null,
  constraint mailbox_spans_pkey PRIMARY KEY (tenant_id, mailbox_id, begins_at)
);

create table mailbox_user_settings (
  tenant_id uuid not null,
  user_id uuid not null,
  shortcuts boolean not null,
  theme text not null,
  notifications boolean not null,
  constraint mailbox_user_settings_pkey PRIMARY KEY (tenant_id, user_id),
  constraint mailbox_user_settings_tenant_id_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES users(tenant_id, id) ON DELETE CASCADE,
  constraint mailbox_user_settings_theme_check CHECK ((theme = ANY (ARRAY['system'::text, 'light'::text, 'dark'::text])))
);

create table mailboxes (
  tenant_id uuid not null,
  id uuid not null,
  domain_id uuid not null,
  address text not null,
  display_name text not null,
  status text not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint mailboxes_pkey PRIMARY KEY (tenant_id, id),
  constraint mailboxes_address_key UNIQUE (address),
  constraint mailboxes_id_key UNIQUE (id),
  constraint mailboxes_tenant_id_domain_id_fkey FOREIGN KEY (tenant_id, domain_id) REFERENCES domains(tenant_id, id),
  constraint mailboxes_address_check CHECK ((address = lower(address))),
  constraint mailboxes_status_check CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text])))
);
CREATE INDEX mailboxes_by_address ON public.mailboxes USING btree (tenant_id, address text_pattern_ops);
CREATE INDEX mailboxes_by_domain ON public.mailboxes USING btree (tenant_id, domain_id);
CREATE INDEX mailboxes_in_order ON public.mailboxes USING btree (tenant_id, address);

create table memberships (
  tenant_id uuid not null,
  person_id uuid not null,
  role text not null,
  invited_at timestamp with time zone default clock_timestamp() not null,
  joined_at timestamp with time zone,
  constraint memberships_pkey PRIMARY KEY (tenant_id, person_id),
  constraint memberships_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint memberships_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text])))
);
CREATE INDEX memberships_by_person ON public.memberships USING btree (person_id);

create table message_attachments (
  tenant_id uuid not null,
  message_id uuid not null,
  "position" smallint not null,
  attachment_id uuid not null,
  part_id text,
  constraint message_attachments_pkey PRIMARY KEY (tenant_id, message_id, "position")
);
CREATE INDEX message_attachments_by_attachment ON public.message_attachments USING btree (tenant_id, attachment_id);

create table message_contents (
  tenant_id uuid not null,
  message_id uuid not null,
  reply_to jsonb not null,
  reference_ids jsonb not null,
  headers jsonb not null,
  mime jsonb,
  authentication jsonb,
  text_truncated boolean default false not null,
  html_truncated boolean default false not null,
  constraint message_contents_pkey PRIMARY KEY (tenant_id, message_id)
);

create table message_entries (
  tenant_id uuid not null,
  message_id uuid not null,
  mailbox_id uuid not null,
  environment_id uuid not null,
  created_at timestamp with time zone not null,
  seq bigint not null,
  folder text not null,
  is_read boolean not null,
  is_starred boolean not null,
  trashed_at timestamp with time zone,
  constraint message_entries_pkey PRIMARY KEY (tenant_id, message_id, mailbox_id),
  constraint message_entries_folder_check CHECK ((folder = ANY (ARRAY['inbox'::text, 'sent'::text, 'archive'::text, 'spam'::text, 'trash'::text]))),
  constraint message_entries_trashed_when CHECK (((folder = 'trash'::text) = (trashed_at IS NOT NULL)))
);
CREATE INDEX message_entries_page ON public.message_entries USING btree (mailbox_id, environment_id, folder, created_at DESC, seq DESC);
CREATE INDEX message_entries_starred ON public.message_entries USING btree (mailbox_id, environment_id, created_at DESC, seq DESC) WHERE is_starred;
CREATE INDEX message_entries_trashed ON public.message_entries USING btree (trashed_at) WHERE (trashed_at IS NOT NULL);
CREATE INDEX message_entries_unread ON public.message_entries USING btree (mailbox_id, environment_id, created_at DESC, seq DESC) WHERE (NOT is_read);

create table message_references (
  tenant_id uuid not null,
  message_id uuid not null,
  digest bigint not null,
  constraint message_references_pkey PRIMARY KEY (tenant_id, message_id, digest)
);
CREATE INDEX message_references_by_digest ON public.message_references USING btree (tenant_id, digest, message_id DESC);

create table message_search (
  tenant_id uuid not null,
  message_id uuid not null,
  environment_id uuid not null,
  created_at timestamp with time zone not null,
  seq bigint not null,
  words tsvector not null,
  constraint message_search_pkey PRIMARY KEY (tenant_id, message_id)
);
CREATE INDEX message_search_words ON public.message_search USING gin (words) WITH (gin_pending_list_limit='256');

create table message_states (
  tenant_id uuid not null,
  message_id uuid not null,
  sent_at timestamp with time zone,
  size_bytes bigint,
  open smallint not null,
  status text not null,
  recipients json not null,
  dkim_signature text,
  failed_environment_id uuid,
  failed_created_at timestamp with time zone,
  failed_seq bigint,
  constraint message_states_pkey PRIMARY KEY (message_id),
  constraint message_states_failed CHECK (
CASE
    WHEN (status = ANY (ARRAY['bounced'::text, 'failed'::text])) THEN (num_nulls(failed_environment_id, failed_created_at, failed_seq) = 0)
    ELSE (num_nonnulls(failed_environment_id, failed_created_at, failed_seq) = 0)
END),
  constraint message_states_open_check CHECK ((open >= 0)),
  constraint message_states_queued CHECK (((status <> 'queued'::text) OR (sent_at IS NULL))),
  constraint message_states_sent CHECK (((status <> ALL (ARRAY['sent'::text, 'delivered'::text, 'bounced'::text])) OR ((sent_at IS NOT NULL) AND (size_bytes IS NOT NULL)))),
  constraint message_states_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'sent'::text, 'delivered'::text, 'bounced'::text, 'failed'::text])))
) with (fillfactor = 50);
CREATE INDEX message_states_failed ON public.message_states USING btree (failed_environment_id, failed_created_at DESC, failed_seq DESC) WHERE (failed_seq IS NOT NULL);

create table messages (
  tenant_id uuid not null,
  id uuid not null,
  environment_id uuid not null,
  seq bigint generated always as identity not null,
  created_at timestamp with time zone not null,
  received_at timestamp with time zone,
  mailbox_id uuid,
  app_id uuid,
  size_bytes bigint,
  attachment_count integer default 0 not null,
  in_sent boolean default false not null,
  held boolean default false not null,
  gone_at timestamp with time zone,
  gone text,
  direction text not null,
  from_address text,
  from_name text,
  to_addresses json not null,
  cc_addresses json not null,
  bcc_addresses json not null,
  subject text not null,
  preview text not null,
  message_id text,
  in_reply_to text,
  text text,
  html text,
  mailbox_user_id uuid,
  reference_ids text[],
  constraint messages_pkey PRIMARY KEY (id),
  constraint messages_direction_check CHECK ((direction = ANY (ARRAY['inbound'::text, 'outbound'::text]))),
  constraint messages_gone_check CHECK ((gone = ANY (ARRAY['deleted'::text, 'expired'::text, 'purged'::text]))),
  constraint messages_gone_when CHECK (((gone IS NULL) = (gone_at IS NULL))),
  constraint messages_in_sent_outbound CHECK (((NOT in_sent) OR (direction = 'outbound'::text))),
  constraint messages_received_when CHECK (((direction = 'inbound'::text) = (received_at IS NOT NULL))),
  constraint messages_sender CHECK (((direction = 'inbound'::text) OR ((mailbox_id IS NOT NULL) AND (num_nonnulls(app_id, mailbox_user_id) = 1)))) NOT VALID
);
CREATE INDEX messages_in_sent ON public.messages USING btree (mailbox_id, environment_id, created_at DESC, seq DESC) WHERE in_sent;
CREATE INDEX messages_inbound ON public.messages USING btree (environment_id, created_at DESC, seq DESC) WHERE (direction = 'inbound'::text);
CREATE INDEX messages_page ON public.messages USING btree (environment_id, created_at DESC, seq DESC);

create table notices (
  tenant_id uuid not null,
  id uuid not null,
  kind text not null,
  occasion text not null,
  user_id uuid not null,
  facts jsonb not null,
  sealed_token bytea,
  status text default 'waiting'::text not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  expires_at timestamp with time zone not null,
  constraint notices_pkey PRIMARY KEY (tenant_id, id),
  constraint notices_id_key UNIQUE (id),
  constraint notices_tenant_id_user_id_kind_occasion_key UNIQUE (tenant_id, user_id, kind, occasion),
  constraint notices_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint notices_check CHECK (((sealed_token IS NULL) OR (status = 'waiting'::text))),
  constraint notices_kind_check CHECK ((kind = ANY (ARRAY['invitation'::text, 'reset'::text, 'recovery_address'::text, 'recovery_reset'::text, 'new_sign_in'::text, 'endpoint_failing'::text, 'endpoint_disabled'::text, 'domain_failing'::text, 'plan_80'::text, 'plan_100'::text]))),
  constraint notices_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'sent'::text, 'dropped'::text])))
) with (fillfactor = 80);
CREATE INDEX notices_by_age ON public.notices USING btree (created_at);
CREATE INDEX notices_waiting ON public.notices USING btree (expires_at) WHERE (status = 'waiting'::text);

create table object_removals (
  object_key text not null,
  due_at timestamp with time zone not null,
  claimed_until timestamp with time zone,
  constraint object_removals_pkey PRIMARY KEY (object_key)
);
CREATE INDEX object_removals_by_due ON public.object_removals USING btree (due_at);

create table passkeys (
  tenant_id uuid not null,
  user_id uuid not null,
  id uuid not null,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  last_used_at timestamp with time zone,
  constraint passkeys_pkey PRIMARY KEY (tenant_id, user_id, id),
  constraint passkeys_credential_id_key UNIQUE (credential_id),
  constraint passkeys_tenant_id_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES users(tenant_id, id) ON DELETE CASCADE
);

create table passwords (
  tenant_id uuid not null,
  user_id uuid not null,
  hash text not null,
  stands_alone boolean not null,
  changed_at timestamp with time zone default clock_timestamp() not null,
  constraint passwords_pkey PRIMARY KEY (tenant_id, user_id),
  constraint passwords_tenant_id_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES users(tenant_id, id) ON DELETE CASCADE
);

create table plans (
  name text not null,
  key_per_minute integer not null,
  tenant_per_day integer not null,
  messages_per_month integer not null,
  stored_mib integer not null,
  retention_days integer not null,
  constraint plans_pkey PRIMARY KEY (name),
  constraint plans_key_per_minute_check CHECK ((key_per_minute >= 0)),
  constraint plans_messages_per_month_check CHECK ((messages_per_month >= 0)),
  constraint plans_name_check CHECK ((name ~ '^[a-z0-9][a-z0-9-]{0,62}$'::text)),
  constraint plans_retention_days_check CHECK ((retention_days >= 0)),
  constraint plans_stored_mib_check CHECK ((stored_mib >= 0)),
  constraint plans_tenant_per_day_check CHECK ((tenant_per_day >= 0))
);

create table rate_counts (
  name text not null,
  subject text not null,
  window_start timestamp with time zone not null,
  requests bigint not null,
  granted bigint default 0 not null,
  most bigint default 0 not null,
  constraint rate_counts_pkey PRIMARY KEY (name, subject, window_start)
) with (fillfactor = 70);
CREATE INDEX rate_counts_by_window ON public.rate_counts USING btree (window_start);

create table recovery_addresses (
  tenant_id uuid not null,
  user_id uuid not null,
  address text not null,
  verified_at timestamp with time zone,
  constraint recovery_addresses_pkey PRIMARY KEY (tenant_id, user_id),
  constraint recovery_addresses_tenant_id_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES users(tenant_id, id) ON DELETE CASCADE,
  constraint recovery_addresses_address_check CHECK ((address = lower(address)))
);

create table recovery_codes (
  tenant_id uuid not null,
  user_id uuid not null,
  code_hash bytea not null,
  constraint recovery_codes_pkey PRIMARY KEY (tenant_id, user_id, code_hash),
  constraint recovery_codes_tenant_id_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES users(tenant_id, id) ON DELETE CASCADE,
  constraint recovery_codes_code_hash_check CHECK ((octet_length(code_hash) = 32))
);

create table refused_requests (
  tenant_id uuid not null,
  request_id uuid not null,
  environment_id uuid not null,
  at timestamp with time zone not null,
  method text not null,
  route text not null,
  path text not null,
  status smallint not null,
  code text,
  app_id uuid not null,
  key_id uuid not null,
  client_address text not null,
  user_agent text,
  duration_ms integer not null,
  constraint refused_requests_pkey PRIMARY KEY (tenant_id, request_id),
  constraint refused_requests_duration_ms_check CHECK ((duration_ms >= 0)),
  constraint refused_requests_path_check CHECK ((length(path) <= 512)),
  constraint refused_requests_status_check CHECK (((status >= 400) AND (status <= 599)))
);
CREATE INDEX refused_requests_by_age ON public.refused_requests USING btree (at);

create table schema_functions (
  file text not null,
  checksum text not null,
  applied_by text not null,
  applied_at timestamp with time zone default clock_timestamp() not null,
  constraint schema_functions_pkey PRIMARY KEY (file)
);

create table schema_migrations (
  version integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone default clock_timestamp() not null,
  constraint schema_migrations_pkey PRIMARY KEY (version)
);

create table search_spans (
  tenant_id uuid not null,
  environment_id uuid not null,
  begins_at timestamp with time zone not null,
  id bigint generated always as identity not null,
  newest_at timestamp with time zone not null,
  messages integer not null,
  constraint search_spans_pkey PRIMARY KEY (tenant_id, environment_id, begins_at)
);

create table searched_mailboxes (
  tenant_id uuid not null,
  mailbox_id uuid not null,
  walked_to timestamp with time zone default 'infinity'::timestamp with time zone not null,
  walked_to_seq bigint default 0 not null,
  is_walked boolean default false not null,
  correspondents integer default 0 not null,
  constraint searched_mailboxes_pkey PRIMARY KEY (tenant_id, mailbox_id)
);
CREATE INDEX searched_mailboxes_open ON public.searched_mailboxes USING btree (tenant_id, mailbox_id) WHERE (NOT is_walked);

create table secret_key_holders (
  process_id uuid not null,
  versions bigint[] not null,
  seen_at timestamp with time zone default clock_timestamp() not null,
  constraint secret_key_holders_pkey PRIMARY KEY (process_id),
  constraint secret_key_holders_versions_check CHECK ((cardinality(versions) > 0))
);

create table secret_keys (
  version bigint not null,
  fingerprint text not null,
  first_used_at timestamp with time zone default clock_timestamp() not null,
  current_since timestamp with time zone,
  constraint secret_keys_pkey PRIMARY KEY (version),
  constraint secret_keys_fingerprint_check CHECK ((fingerprint ~ '^[0-9a-f]{16}$'::text))
);

create table sender_identities (
  tenant_id uuid not null,
  user_id uuid not null,
  mailbox_id uuid not null,
  name text,
  signature text,
  constraint sender_identities_pkey PRIMARY KEY (tenant_id, user_id, mailbox_id),
  constraint sender_identities_tenant_id_user_id_mailbox_id_fkey FOREIGN KEY (tenant_id, user_id, mailbox_id) REFERENCES mailbox_access(tenant_id, mailbox_user_id, mailbox_id) ON DELETE CASCADE
);

create table sessions (
  tenant_id uuid not null,
  user_id uuid not null,
  id uuid not null,
  secret_hash bytea not null,
  whole boolean not null,
  in_tenant_id uuid,
  role text,
  client_address text not null,
  user_agent text,
  proven_at timestamp with time zone default clock_timestamp() not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  last_used_at timestamp with time zone default clock_timestamp() not null,
  only_tenant_id uuid,
  constraint sessions_pkey PRIMARY KEY (tenant_id, user_id, id),
  constraint sessions_id_key UNIQUE (id),
  constraint sessions_tenant_id_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES users(tenant_id, id) ON DELETE CASCADE,
  constraint sessions_secret_hash_check CHECK ((octet_length(secret_hash) = 32))
) with (fillfactor = 80);
CREATE INDEX sessions_by_age ON public.sessions USING btree (created_at);
CREATE INDEX sessions_by_only_tenant ON public.sessions USING btree (only_tenant_id) WHERE (only_tenant_id IS NOT NULL);

create table sign_in_failures (
  key bytea not null,
  failures integer not null,
  last_failed_at timestamp with time zone not null,
  constraint sign_in_failures_pkey PRIMARY KEY (key),
  constraint sign_in_failures_failures_check CHECK ((failures > 0)),
  constraint sign_in_failures_key_check CHECK ((octet_length(key) = 32))
) with (fillfactor = 80);
CREATE INDEX sign_in_failures_by_age ON public.sign_in_failures USING btree (last_failed_at);

create table single_sign_on (
  tenant_id uuid not null,
  issuer text not null,
  client_id text not null,
  client_secret bytea not null,
  set_at timestamp with time zone default clock_timestamp() not null,
  constraint single_sign_on_pkey PRIMARY KEY (tenant_id),
  constraint single_sign_on_tenant_id_issuer_key UNIQUE (tenant_id, issuer),
  constraint single_sign_on_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id)
);

create table submission_tries (
  tenant_id uuid not null,
  message_id uuid not null,
  number integer not null,
  times integer default 1 not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  result text not null,
  answers json not null,
  next_attempt_at timestamp with time zone,
  constraint submission_tries_pkey PRIMARY KEY (tenant_id, message_id, number),
  constraint submission_tries_number_check CHECK ((number > 0)),
  constraint submission_tries_times_check CHECK ((times > 0))
) with (fillfactor = 70);

create table suppressions (
  tenant_id uuid not null,
  environment_id uuid not null,
  address text not null,
  id uuid not null,
  reason text not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  made_by_person uuid,
  made_by_account text,
  message_id uuid,
  note text,
  constraint suppressions_pkey PRIMARY KEY (tenant_id, environment_id, address),
  constraint suppressions_cause CHECK (
CASE
    WHEN (reason = ANY (ARRAY['bounce'::text, 'complaint'::text])) THEN ((message_id IS NOT NULL) AND (num_nonnulls(made_by_person, made_by_account) = 0))
    ELSE ((message_id IS NULL) AND (num_nonnulls(made_by_person, made_by_account) = 1))
END),
  constraint suppressions_reason_check CHECK ((reason = ANY (ARRAY['manual'::text, 'import'::text, 'bounce'::text, 'complaint'::text])))
);
CREATE INDEX suppressions_by_id ON public.suppressions USING btree (tenant_id, id);
CREATE UNIQUE INDEX suppressions_page ON public.suppressions USING btree (tenant_id, environment_id, created_at DESC, id DESC);

create table tenant_sign_in (
  tenant_id uuid not null,
  requires_second_factor boolean default false not null,
  constraint tenant_sign_in_pkey PRIMARY KEY (tenant_id),
  constraint tenant_sign_in_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id)
);

create table tenant_storage (
  tenant_id uuid not null,
  stored_bytes bigint not null,
  constraint tenant_storage_pkey PRIMARY KEY (tenant_id)
) with (fillfactor = 50);

create table tenant_usage (
  tenant_id uuid not null,
  month date not null,
  recipients bigint default 0 not null,
  constraint tenant_usage_pkey PRIMARY KEY (tenant_id, month),
  constraint tenant_usage_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  constraint tenant_usage_month_check CHECK ((month = date_trunc('month'::text, (month)::timestamp with time zone)))
) with (fillfactor = 50);
CREATE INDEX tenant_usage_by_month ON public.tenant_usage USING btree (month);

create table tenants (
  id uuid not null,
  name text not null,
  plan text not null,
  status text not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  people_see_content boolean default true not null,
  suppressions bigint default 0 not null,
  stops_bounced boolean default false not null,
  constraint tenants_pkey PRIMARY KEY (id),
  constraint tenants_plan_fkey FOREIGN KEY (plan) REFERENCES plans(name),
  constraint tenants_status_check CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text]))),
  constraint tenants_suppressions_check CHECK ((suppressions >= 0))
);

create table totp_keys (
  tenant_id uuid not null,
  user_id uuid not null,
  secret bytea not null,
  confirmed_at timestamp with time zone,
  last_step bigint default 0 not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  constraint totp_keys_pkey PRIMARY KEY (tenant_id, user_id),
  constraint totp_keys_tenant_id_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES users(tenant_id, id) ON DELETE CASCADE
);

create table unread_reports (
  tenant_id uuid not null,
  id uuid not null,
  message_id uuid not null,
  object_key text not null,
  received_at timestamp with time zone not null,
  constraint unread_reports_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX unread_reports_by_age ON public.unread_reports USING btree (received_at);
CREATE INDEX unread_reports_by_message ON public.unread_reports USING btree (tenant_id, message_id);

create table uploads (
  tenant_id uuid not null,
  id uuid not null,
  environment_id uuid not null,
  mailbox_id uuid not null,
  filename text not null,
  media_type text not null,
  size_bytes bigint not null,
  sha256 bytea not null,
  put_at timestamp with time zone,
  refused text[],
  completed_at timestamp with time zone,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint uploads_pkey PRIMARY KEY (tenant_id, id),
  constraint uploads_sha256_check CHECK ((length(sha256) = 32)),
  constraint uploads_size_bytes_check CHECK ((size_bytes > 0))
);
CREATE INDEX uploads_by_expiry ON public.uploads USING btree (expires_at);

create table user_links (
  tenant_id uuid not null,
  user_id uuid not null,
  id uuid not null,
  purpose text not null,
  token_hash bytea not null,
  for_tenant_id uuid,
  expires_at timestamp with time zone not null,
  constraint user_links_pkey PRIMARY KEY (tenant_id, user_id, id),
  constraint user_links_token_hash_key UNIQUE (token_hash),
  constraint user_links_tenant_id_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES users(tenant_id, id) ON DELETE CASCADE,
  constraint user_links_purpose_check CHECK ((purpose = ANY (ARRAY['invitation'::text, 'reset'::text, 'sign_in'::text, 'recovery_address'::text]))),
  constraint user_links_token_hash_check CHECK ((octet_length(token_hash) = 32))
);
CREATE INDEX user_links_by_expiry ON public.user_links USING btree (expires_at);

create table users (
  tenant_id uuid not null,
  id uuid not null,
  kind text not null,
  login text not null,
  name text,
  notices boolean default true not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  last_seen_at timestamp with time zone,
  constraint users_pkey PRIMARY KEY (tenant_id, id),
  constraint users_id_key UNIQUE (id),
  constraint users_kind_login_key UNIQUE (kind, login),
  constraint users_check CHECK (((kind = 'person'::text) = (tenant_id = '00000000-0000-0000-0000-000000000000'::uuid))),
  constraint users_kind_check CHECK ((kind = ANY (ARRAY['person'::text, 'mailbox_user'::text]))),
  constraint users_login_check CHECK ((login = lower(login)))
) with (fillfactor = 90);

create table webhook_attempts (
  tenant_id uuid not null,
  delivery_id uuid not null,
  cycle integer not null,
  number integer not null,
  at timestamp with time zone not null,
  status_code smallint,
  error text,
  duration_ms integer not null,
  answer text,
  constraint webhook_attempts_pkey PRIMARY KEY (tenant_id, delivery_id, cycle, number),
  constraint webhook_attempts_answer_check CHECK ((length(answer) <= 1000)),
  constraint webhook_attempts_cycle_check CHECK ((cycle > 0)),
  constraint webhook_attempts_number_check CHECK ((number > 0))
);

create table webhook_deliveries (
  tenant_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  environment_id uuid not null,
  epoch integer not null,
  xid xid8 not null,
  seq bigint not null,
  status text not null,
  cycle integer default 1 not null,
  attempts integer default 0 not null,
  receptions integer default 0 not null,
  next_attempt_at timestamp with time zone,
  last_attempt_at timestamp with time zone,
  last_status_code smallint,
  last_error text,
  last_duration_ms integer,
  delivered_at timestamp with time zone,
  dead_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint webhook_deliveries_pkey PRIMARY KEY (tenant_id, id),
  constraint webhook_deliveries_attempts_check CHECK ((attempts >= 0)),
  constraint webhook_deliveries_check CHECK (((status = 'pending'::text) = (next_attempt_at IS NOT NULL))),
  constraint webhook_deliveries_check1 CHECK (((status = 'delivered'::text) = (delivered_at IS NOT NULL))),
  constraint webhook_deliveries_check2 CHECK (((status = 'dead'::text) = (dead_at IS NOT NULL))),
  constraint webhook_deliveries_cycle_check CHECK ((cycle > 0)),
  constraint webhook_deliveries_receptions_check CHECK ((receptions >= 0)),
  constraint webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'dead'::text])))
) with (fillfactor = 70);
CREATE INDEX webhook_deliveries_by_death ON public.webhook_deliveries USING btree (tenant_id, endpoint_id, dead_at, id) WHERE (dead_at IS NOT NULL);
CREATE INDEX webhook_deliveries_by_endpoint ON public.webhook_deliveries USING btree (tenant_id, endpoint_id, id);
CREATE INDEX webhook_deliveries_dead ON public.webhook_deliveries USING btree (tenant_id, endpoint_id, id) WHERE (dead_at IS NOT NULL);

create table webhook_endpoints (
  tenant_id uuid not null,
  id uuid not null,
  app_id uuid not null,
  environment_id uuid not null,
  url text not null,
  description text,
  event_types text[] not null,
  api_version text not null,
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamp with time zone,
  enabled boolean default true not null,
  consecutive_failures integer default 0 not null,
  failures_counted bigint default 0 not null,
  disabled_at timestamp with time zone,
  disabled_reason text,
  created_at timestamp with time zone default clock_timestamp() not null,
  deleted_at timestamp with time zone,
  failing_since timestamp with time zone,
  last_failing_since timestamp with time zone,
  constraint webhook_endpoints_pkey PRIMARY KEY (tenant_id, id),
  constraint webhook_endpoints_id_key UNIQUE (id),
  constraint webhook_endpoints_tenant_id_app_id_fkey FOREIGN KEY (tenant_id, app_id) REFERENCES apps(tenant_id, id),
  constraint webhook_endpoints_check CHECK ((enabled = (disabled_at IS NULL))),
  constraint webhook_endpoints_check1 CHECK ((enabled = (disabled_reason IS NULL))),
  constraint webhook_endpoints_check2 CHECK (((previous_secret IS NULL) = (previous_secret_until IS NULL))),
  constraint webhook_endpoints_consecutive_failures_check CHECK ((consecutive_failures >= 0)),
  constraint webhook_endpoints_event_types_check CHECK ((cardinality(event_types) > 0))
) with (fillfactor = 50);
CREATE INDEX webhook_endpoints_by_environment ON public.webhook_endpoints USING btree (tenant_id, environment_id) WHERE (deleted_at IS NULL);
CREATE INDEX webhook_endpoints_failing ON public.webhook_endpoints USING btree (failing_since) WHERE ((failing_since IS NOT NULL) AND enabled);

create table webhook_replay_places (
  tenant_id uuid not null,
  replay_id uuid not null,
  endpoint_id uuid not null,
  dead_at timestamp with time zone not null,
  delivery_id uuid default '00000000-0000-0000-0000-000000000000'::uuid not null,
  constraint webhook_replay_places_pkey PRIMARY KEY (tenant_id, replay_id, endpoint_id),
  constraint webhook_replay_places_tenant_id_replay_id_fkey FOREIGN KEY (tenant_id, replay_id) REFERENCES webhook_replays(tenant_id, id) ON DELETE CASCADE
);

create table webhook_replays (
  tenant_id uuid not null,
  id uuid not null,
  environment_id uuid not null,
  app_id uuid not null,
  endpoint_id uuid,
  since timestamp with time zone not null,
  until timestamp with time zone not null,
  status text default 'running'::text not null,
  stopped_because text,
  replayed bigint default 0 not null,
  asked_by text not null,
  asked_in xid8 default pg_current_xact_id() not null,
  created_at timestamp with time zone default clock_timestamp() not null,
  ended_at timestamp with time zone,
  constraint webhook_replays_pkey PRIMARY KEY (tenant_id, id),
  constraint webhook_replays_tenant_id_app_id_fkey FOREIGN KEY (tenant_id, app_id) REFERENCES apps(tenant_id, id),
  constraint webhook_replays_asked_by_check CHECK ((asked_by = ANY (ARRAY['application'::text, 'person'::text, 'operator'::text]))),
  constraint webhook_replays_check CHECK (((status = 'running'::text) = (ended_at IS NULL))),
  constraint webhook_replays_check1 CHECK (((status = 'stopped'::text) = (stopped_because IS NOT NULL))),
  constraint webhook_replays_replayed_check CHECK ((replayed >= 0)),
  constraint webhook_replays_status_check CHECK ((status = ANY (ARRAY['running'::text, 'done'::text, 'stopped'::text]))),
  constraint webhook_replays_stopped_because_check CHECK ((stopped_because = ANY (ARRAY['asked'::text, 'endpoint_disabled'::text, 'endpoint_deleted'::text, 'fault'::text])))
);
CREATE INDEX webhook_replays_by_app ON public.webhook_replays USING btree (tenant_id, app_id, id);
CREATE INDEX webhook_replays_ended ON public.webhook_replays USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE UNIQUE INDEX webhook_replays_running ON public.webhook_replays USING btree (tenant_id, COALESCE(endpoint_id, app_id)) WHERE (status = 'running'::text);

CREATE OR REPLACE FUNCTION public.add_stored_bytes(changes json)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into tenant_storage as s (tenant_id, stored_bytes)
  select c.tenant_id, sum(c.bytes) from json_to_recordset(changes) as c (tenant_id uuid, bytes bigint)
  group by c.tenant_id having sum(c.bytes) <> 0 order by c.tenant_id
  on conflict (tenant_id) do update set stored_bytes = s.stored_bytes + excluded.stored_bytes
$function$;

CREATE OR REPLACE FUNCTION public.await_resumption(of_queue text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_sort TO 'off'
 SET enable_incremental_sort TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
 SET jit TO 'off'
AS $function$
begin
  perform from jobs j
  where j.queue = of_queue and j.state = 'scheduled' and j.resumable_at is not null
  order by j.tenant_id, j.lane, j.resumable_at limit 1;
  return found;
end $function$;

CREATE OR REPLACE FUNCTION public.begin_cycles(of_tenant uuid, delivery_ids uuid[], died_since timestamp with time zone, died_until timestamp with time zone, OUT id uuid, OUT endpoint_id uuid, OUT event_id uuid, OUT cycle integer)
 RETURNS SETOF record
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
 SET jit TO 'off'
AS $function$
#variable_conflict use_column
begin
  return query
  with held as materialized (
    select d.tenant_id, d.id, d.cycle, d.attempts, d.status, d.last_attempt_at, d.last_status_code, d.last_duration_ms
    from webhook_deliveries d
    where d.tenant_id = of_tenant and d.id = any (delivery_ids)
      and (died_since is null or d.dead_at between died_since and died_until)
    order by d.id for no key update
  ),
  kept as (
    insert into webhook_attempts (tenant_id, delivery_id, cycle, number, at, status_code, duration_ms)
    select h.tenant_id, h.id, h.cycle, h.attempts, h.last_attempt_at, h.last_status_code, h.last_duration_ms
    from held h where h.status = 'delivered'
    on conflict (tenant_id, delivery_id, cycle, number) do nothing
  ),
  begun as (
    update webhook_deliveries d
    set status = 'pending', cycle = d.cycle + 1, attempts = 0, receptions = 0, next_attempt_at = now(),
      delivered_at = null, dead_at = null
    from held h
    where d.tenant_id = h.tenant_id and d.id = h.id
    returning d.tenant_id, d.id, d.endpoint_id, d.event_id, d.cycle
  ),
  enqueued as (
    insert into jobs (tenant_id, queue, lane, subject_id, payload)
    select b.tenant_id, 'webhooks', b.endpoint_id, b.id, jsonb_build_object('cycle', b.cycle) from begun b
  )
  select b.id, b.endpoint_id, b.event_id, b.cycle from begun b;
end $function$;

CREATE OR REPLACE FUNCTION public.begin_feed_epoch(known integer, above integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
begin
  lock table events in share row exclusive mode;
  update feed_epoch
  set epoch = greatest(above + 1, extract(epoch from clock_timestamp() - timestamptz '2020-01-01 00:00Z')::integer),
    server_started_at = pg_postmaster_start_time()
  where epoch = known;
  return (select epoch from feed_epoch);
end $function$;

CREATE OR REPLACE FUNCTION public.bump_credential_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update credential_version set version = version + 1;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.cap_of_held_lane(of_queue text, of_tenant uuid, of_lane uuid, cap integer, moment timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  wave constant integer := 500;
  -- A claim begins to hold no more jobs after this, so that many lanes that fail together do not hold it up.
  holds_within constant interval := '50 milliseconds';
  -- As in release_held_jobs.
  look_again constant interval := '1 second';
  until timestamptz;
begin
  select h.held_until into until from held_lanes h
  where h.tenant_id = of_tenant and h.queue = of_queue and h.lane = of_lane;
  if coalesce(until, '-infinity') <= moment then
    perform from jobs j
    where j.queue = of_queue and j.state = 'leased' and j.tenant_id = of_tenant and j.lane = of_lane limit 1;
    if not found then return cap; end if;
  end if;
  if clock_timestamp() > moment + holds_within then return 0; end if;
  perform from held_lanes h
  where h.tenant_id = of_tenant and h.queue = of_queue and h.lane = of_lane and h.held_until > '-infinity'
  for update skip locked;
  if found then
    update jobs set state = 'held'
    where ctid = any (array(
      select j.ctid from jobs j
      where j.queue = of_queue and j.state = 'ready' and j.tenant_id = of_tenant and j.lane = of_lane
      order by j.due_at, j.id limit wave
    ));
    update held_lanes h set release_at = greatest(h.held_until, moment + look_again)
    where h.tenant_id = of_tenant and h.queue = of_queue and h.lane = of_lane and h.release_at is null;
  end if;
  return 0;
end $function$;

CREATE OR REPLACE FUNCTION public.claim_jobs(from_queue text, max_jobs integer, lane_cap integer, tenant_cap integer, reception_budget integer, lease interval, new_claim uuid, after_tenant uuid, after_lane uuid)
 RETURNS TABLE(tenant_id uuid, id bigint, lane uuid, subject_id uuid, payload jsonb, receptions integer, exhausted boolean)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_sort TO 'off'
 SET enable_incremental_sort TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
 SET jit TO 'off'
AS $function$
#variable_conflict use_column
declare
  -- How many jobs one claim makes ready at most, so that a wave of them does not hold up the claim.
  wave constant integer := 500;
  first constant uuid := '00000000-0000-0000-0000-000000000000';
  last constant uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  moment timestamptz;
begin
  perform pg_advisory_xact_lock(hashtextextended('claim ' || from_queue, 0));
  moment := clock_timestamp();

  update jobs set state = 'ready'
  where ctid = any (array(
    select ctid from jobs
    where queue = from_queue and state = 'scheduled' and due_at <= moment
    order by due_at limit wave for update skip locked
  ));

  update jobs set state = 'ready', claim = null, leased_until = null
  where ctid = any (array(
    select ctid from jobs
    where queue = from_queue and leased_until <= moment
    order by leased_until limit wave for update skip locked
  ));

  perform from held_lanes h where h.queue = from_queue and h.release_at <= moment limit 1;
  if found then perform release_held_jobs(from_queue, moment); end if;

  return query
  with recursive
  -- From lane to lane, each found by one look-up, once around; until enough of them have room. What is left of a
  -- tenant without room is passed over in one step.
  walk (tenant_id, lane, head_due_at, head_id, go_on_after, until_tenant, until_lane, tenant_lanes, tenant_room,
    tenant_left, room, found
  ) as (
    select after_tenant, after_lane, null::timestamptz, null::bigint, after_lane, last, last, null::uuid[], null::integer,
      0, 0, 0
    union all
    select next.tenant_id, next.lane, next.due_at, next.id, case when left_after.tenant > 0 then next.lane else last end,
      next.until_tenant, next.until_lane, in_flight.tenant_lanes, left_before.tenant_room, left_after.tenant, seats.room,
      walk.found + (seats.room > 0)::integer
    from walk
    cross join lateral (
      (
        select j.tenant_id, j.lane, j.due_at, j.id, walk.until_tenant, walk.until_lane from jobs j
        where j.queue = from_queue and j.state = 'ready'
          and (j.tenant_id, j.lane) > (walk.tenant_id, walk.go_on_after)
          and (j.tenant_id, j.lane) <= (walk.until_tenant, walk.until_lane)
        order by j.tenant_id, j.lane, j.due_at, j.id limit 1
      )
      union all
      (
        select j.tenant_id, j.lane, j.due_at, j.id, after_tenant, after_lane from jobs j
        where j.queue = from_queue and j.state = 'ready'
          and (j.tenant_id, j.lane) >= (first, first) and (j.tenant_id, j.lane) <= (after_tenant, after_lane)
          and walk.until_tenant = last
        order by j.tenant_id, j.lane, j.due_at, j.id limit 1
      )
      limit 1
    ) next
    cross join lateral (
      select coalesce(
        (select case when h.lane is null then c.cap else cap_of_held_lane(from_queue, c.tenant_id, c.lane, c.cap, moment) end
         from lane_caps c
         left join held_lanes h
           on h.tenant_id = c.tenant_id and h.queue = c.queue and h.lane = c.lane and h.held_until > '-infinity'
         where c.tenant_id = next.tenant_id and c.queue = from_queue and c.lane = next.lane),
        lane_cap
      ) as lane_cap,
      walk.tenant_room is not null and walk.tenant_id = next.tenant_id as same_tenant
      offset 0
    ) allowed
    -- The lane of each of the tenant's jobs in flight: read once for all of its lanes.
    cross join lateral (
      select case
        when tenant_cap is null then null
        when allowed.same_tenant then walk.tenant_lanes
        else array(
          select j.lane from jobs j where j.queue = from_queue and j.state = 'leased' and j.tenant_id = next.tenant_id
          order by j.lane limit tenant_cap
        )
      end as tenant_lanes
      offset 0
    ) in_flight
    cross join lateral (
      select seen.tenant_room, case when allowed.same_tenant then walk.tenant_left else seen.tenant_room end as tenant
      from (
        select case when tenant_cap is null then max_jobs else tenant_cap - cardinality(in_flight.tenant_lanes) end
          as tenant_room
      ) seen
    ) left_before
    cross join lateral (
      select case when left_before.tenant > 0 then greatest(0, allowed.lane_cap - case
        when tenant_cap is not null then cardinality(array_positions(in_flight.tenant_lanes, next.lane))
        else (
          select count(*)::integer
          from (
            select from jobs j
            where j.queue = from_queue and j.state = 'leased' and j.tenant_id = next.tenant_id and j.lane = next.lane
            limit allowed.lane_cap
          ) in_lane
        )
      end) else 0 end as room
      offset 0
    ) seats
    cross join lateral (
      select left_before.tenant - (seats.room > 0)::integer as tenant
    ) left_after
    where walk.found < max_jobs
  ),
  -- (A tenant whose lanes the walk met both at its beginning and at its end was counted twice.)
  lanes as materialized (
    select met.tenant_id, met.lane, met.head_due_at, met.head_id, met.tenant_room, met.room, met.found
    from (
      select walk.tenant_id, walk.lane, walk.head_due_at, walk.head_id, walk.tenant_room, walk.room, walk.found,
        row_number() over (partition by walk.tenant_id order by walk.found) as tenant_lane
      from walk where walk.room > 0
    ) met
    where met.tenant_lane <= met.tenant_room
  ),
  -- Each of the others takes one at least, so no lane can take more than this.
  share as materialized (
    select max_jobs - count(*)::integer + 1 as most from lanes
  ),
  -- The walk's own numbering of lanes is the order in which they are served. Each begins with the job that the walk has
  -- found there: what was handed out before leaves its entries in the index, and they need not be passed again.
  candidates as materialized (
    select candidate.place, lanes.tenant_id, lanes.found, candidate.turn, lanes.tenant_room
    from lanes
    cross join share
    cross join lateral (
      select j.ctid as place, row_number() over (order by j.due_at, j.id) as turn
      from jobs j
      where j.queue = from_queue and j.state = 'ready' and j.tenant_id = lanes.tenant_id and j.lane = lanes.lane
        and (j.due_at, j.id) >= (lanes.head_due_at, lanes.head_id)
      order by j.due_at, j.id limit least(lanes.room, lanes.tenant_room, share.most)
    ) candidate
  ),
  within_tenants as materialized (
    select c.place, c.found, c.turn, c.tenant_room,
      row_number() over (partition by c.tenant_id order by c.turn, c.found) as tenant_turn
    from candidates c
  ),
  chosen as materialized (
    select w.place from within_tenants w
    where w.tenant_turn <= w.tenant_room
    order by w.turn, w.found limit max_jobs
  ),
  -- What another transaction is about to remove is passed over, not waited for. (To ask for the state again would
  -- offer the planner the whole index of ready jobs.)
  held as materialized (
    select j.ctid as place from jobs j
    where j.ctid = any (array(select chosen.place from chosen))
    for update skip locked
  ),
  claimed as (
    update jobs j
    set state = 'leased', claim = new_claim, leased_until = moment + lease, receptions = j.receptions + 1
    where j.ctid = any (array(select held.place from held))
    returning j.tenant_id, j.id, j.lane, j.subject_id, j.payload, j.receptions,
      j.receptions > reception_budget as exhausted, j.due_at
  )
  select c.tenant_id, c.id, c.lane, c.subject_id, c.payload, c.receptions, c.exhausted
  from claimed c
  order by (c.tenant_id, c.lane) <= (after_tenant, after_lane), c.tenant_id, c.lane, c.due_at, c.id;
end $function$;

CREATE OR REPLACE FUNCTION public.count_naming(looked_at regclass, pattern text, tenant uuid)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  found bigint;
  has_tenant constant boolean := exists (
    select from pg_attribute a where a.attrelid = looked_at and a.attname = 'tenant_id' and not a.attisdropped);
begin
  if tenant is null then
    execute format('select count(*) from %s t where t::text ~* $1', looked_at) into found using pattern;
  elsif has_tenant then
    execute format('select count(*) from %s t where t.tenant_id = $2 and t::text ~* $1', looked_at)
      into found using pattern, tenant;
  end if;
  return coalesce(found, 0);
end
$function$;

CREATE OR REPLACE FUNCTION public.current_receptions(tenant uuid, endpoint uuid, delivery uuid, current_cycle integer)
 RETURNS integer
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
 SET jit TO 'off'
AS $function$
begin
  return coalesce(
    (select j.receptions from jobs j
     where j.tenant_id = tenant and j.subject_id = delivery and j.receptions > 0 and j.claim is null
       and j.queue = 'webhooks' and coalesce((j.payload ->> 'cycle')::integer, 1) = current_cycle
     limit 1),
    (select j.receptions from jobs j
     where j.queue = 'webhooks' and j.state = 'leased' and j.tenant_id = tenant and j.lane = endpoint
       and j.subject_id = delivery and coalesce((j.payload ->> 'cycle')::integer, 1) = current_cycle
     limit 1),
    0
  );
end $function$;

CREATE OR REPLACE FUNCTION public.deliver_events()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
 SET jit TO 'off'
AS $function$
begin
  perform from (select distinct e.tenant_id, e.environment_id from new_events e) written
  cross join lateral (
    select from webhook_endpoints w
    where w.tenant_id = written.tenant_id and w.environment_id = written.environment_id and w.deleted_at is null limit 1
  ) listening;
  if not found then return null; end if;

  with made as (
    insert into webhook_deliveries (tenant_id, id, endpoint_id, event_id, event_type, environment_id, epoch, xid, seq,
      status, next_attempt_at, dead_at, last_error, created_at)
    select e.tenant_id, new_uuid(e.occurred_at), w.id, e.id, e.type, e.environment_id, e.epoch, e.xid, e.seq,
      case when w.enabled then 'pending' else 'dead' end, case when w.enabled then e.occurred_at end,
      case when not w.enabled then e.occurred_at end, case when not w.enabled then 'endpoint_disabled' end,
      e.occurred_at
    from new_events e
    cross join lateral (
      select w.id, w.enabled from webhook_endpoints w
      where w.tenant_id = e.tenant_id and w.environment_id = e.environment_id and w.deleted_at is null
        and w.event_types && array[e.type, '*']
      offset 0
    ) w
    returning tenant_id, id, endpoint_id, status
  )
  insert into jobs (tenant_id, queue, lane, subject_id)
  select m.tenant_id, 'webhooks', m.endpoint_id, m.id from made m where m.status = 'pending';
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.erased_data(data json)
 RETURNS json
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
declare
  given constant jsonb := data::jsonb;
  kept constant text[] := '{mailboxId, direction, status, mailboxIds, reason, changes, bounce, smtpCode, enhancedCode, demo}';
  blanks constant jsonb := '{"messageId": null, "subject": "", "from": null, "to": [], "recipient": "", "diagnostic": null,
    "relayResponse": null}';
begin
  if not given ? 'direction' then
    return case when given ? 'demo' then '{"demo": true, "erased": true}' else '{"erased": true}' end::json;
  end if;
  return (
    select jsonb_object_agg(m.key, case when m.key = any (kept) then m.value else blanks -> m.key end)
      || '{"erased": true}'
    from jsonb_each(given) m
    where m.key = any (kept) or blanks ? m.key)::json;
end
$function$;

CREATE OR REPLACE FUNCTION public.find_by_words(in_tenant uuid, in_environment uuid, words text[], sets integer[], beginnings boolean[], before_at timestamp with time zone, before_seq bigint, since_at timestamp with time zone, most integer)
 RETURNS TABLE(message_id uuid, created_at timestamp with time zone, seq bigint)
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
AS $function$
declare
  span record;
  query tsquery;
  found_now integer;
  open integer := most;
begin
  for span in
    select s.id, s.begins_at from search_spans s
    where s.tenant_id = in_tenant and s.environment_id = in_environment and s.begins_at <= before_at
    order by s.begins_at desc
  loop
    select string_agg('(' || q.any_word || ')', ' & ')::tsquery into query
    from (
      select string_agg(
        '''' || to_hex(span.id) || '/' || replace(replace(w.word, '\', '\\'), '''', '''''') || '''' ||
          case when w.is_beginning then ':*' else '' end,
        ' | ') as any_word
      from unnest(words, sets, beginnings) as w (word, set, is_beginning)
      group by w.set
    ) q;
    return query
      select f.message_id, f.created_at, f.seq
      from (
        select m.message_id, m.created_at, m.seq, m.tenant_id, m.environment_id from message_search m
        where m.words @@ query offset 0
      ) f
      where f.tenant_id = in_tenant and f.environment_id = in_environment and (f.created_at, f.seq) < (before_at, before_seq)
        and f.created_at >= since_at
      order by f.created_at desc, f.seq desc limit open;
    get diagnostics found_now = row_count;
    open := open - found_now;
    exit when open <= 0 or span.begins_at <= since_at;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.find_in_mailboxes(in_tenant uuid, in_mailboxes uuid[], words text[], beginnings boolean[], exclusions boolean[], before_at timestamp with time zone, before_seq bigint, since_at timestamp with time zone, most integer)
 RETURNS TABLE(message_id uuid, mailbox_id uuid, created_at timestamp with time zone, seq bigint)
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
AS $function$
declare
  span record;
  hit record;
  query tsquery;
  -- When the newest were made that have been found, `most` at most, and the oldest of them once there are so many.
  newest timestamptz[] := '{}';
  enough_at timestamptz;
begin
  for span in
    select s.id, s.mailbox_id, s.newest_at from mailbox_spans s
    where s.tenant_id = in_tenant and s.mailbox_id = any (in_mailboxes) and s.begins_at <= before_at and s.newest_at >= since_at
    order by s.newest_at desc
  loop
    exit when span.newest_at < enough_at;
    query := mailbox_query(span.id, words, beginnings, exclusions);
    for hit in
      select f.message_id, f.mailbox_id, f.created_at, f.seq
      from (
        select m.message_id, m.mailbox_id, m.created_at, m.seq, m.tenant_id from mailbox_search m
        where m.words @@ query offset 0
      ) f
      where f.tenant_id = in_tenant and f.mailbox_id = span.mailbox_id
        and (f.created_at, f.seq) < (before_at, before_seq) and f.created_at >= greatest(since_at, enough_at)
      order by f.created_at desc, f.seq desc limit most
    loop
      message_id := hit.message_id;
      mailbox_id := hit.mailbox_id;
      created_at := hit.created_at;
      seq := hit.seq;
      newest := newest || hit.created_at;
      return next;
    end loop;
    if cardinality(newest) >= most then
      newest := array(select n.at from unnest(newest) as n (at) order by n.at desc limit most);
      enough_at := newest[most];
    end if;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.find_job(of_queue text, of_tenant uuid, of_lane uuid, of_subject uuid, since timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_sort TO 'off'
 SET enable_incremental_sort TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
 SET jit TO 'off'
AS $function$
declare
  -- Between the moment and the job.
  soon constant interval := '10 seconds';
begin
  return (
    select found.id
    from (
      (
        select j.id from jobs j
        where j.queue = of_queue and j.state = 'leased' and j.tenant_id = of_tenant and j.lane = of_lane
          and j.subject_id = of_subject
        limit 1
      )
      union all
      -- Never put off: due when it was made.
      (
        select j.id from jobs j
        where j.queue = of_queue and j.state = 'ready' and j.tenant_id = of_tenant and j.lane = of_lane
          and j.due_at >= since and j.due_at < since + soon and j.subject_id = of_subject
        order by j.due_at, j.id limit 1
      )
      union all
      (
        select j.id from jobs j
        where j.queue = of_queue and j.state = 'held' and j.tenant_id = of_tenant and j.lane = of_lane
          and j.due_at >= since and j.due_at < since + soon and j.subject_id = of_subject
        order by j.due_at, j.id limit 1
      )
      union all
      -- Put off, whether it is due again or not.
      (
        select j.id from jobs j
        where j.queue = of_queue and j.due_at > j.created_at and j.created_at >= since and j.created_at < since + soon
          and j.tenant_id = of_tenant and j.lane = of_lane and j.subject_id = of_subject
        order by j.created_at limit 1
      )
      union all
      (
        select j.id from jobs j
        where j.tenant_id = of_tenant and j.queue = of_queue and j.lane = of_lane and j.subject_id = of_subject
        order by j.id limit 1
      )
      limit 1
    ) found
  );
end $function$;

CREATE OR REPLACE FUNCTION public.join_conversation(of_tenant uuid, new_message uuid, ids bigint[], sent_ids uuid[], sent_domains text[], most integer)
 RETURNS uuid
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  found record;
  joined uuid;
  joined_alone boolean;
  size integer;
begin
  -- Messages of a tenant join one after the other, until their commit: each statement below sees what all before have done.
  perform pg_advisory_xact_lock(hashtextextended('conversations of ' || of_tenant, 0));
  insert into message_references (tenant_id, message_id, digest)
  select of_tenant, new_message, n.digest from unnest(ids) as n (digest);
  for found in
    select f.conversation_id, bool_and(f.is_alone) as is_alone, greatest(1, (
        select count(*) from (
          select from conversation_messages o
          where o.tenant_id = of_tenant and o.conversation_id = f.conversation_id limit most
        ) o
      ))::integer as size
    from (
      select coalesce(c.conversation_id, k.message_id) as conversation_id, c.conversation_id is null as is_alone
      from (
        select m.id as message_id
        from unnest(sent_ids, sent_domains) as n (id, domain)
        cross join lateral (
          select m.id from messages m
          where m.id = n.id and m.tenant_id = of_tenant and m.environment_id = of_tenant and m.direction = 'outbound'
            and m.gone is null and lower(substring(m.from_address from '[^@]*$')) = lower(n.domain)
          limit 1
        ) m
        union
        select r.message_id
        from unnest(ids) as n (digest)
        cross join lateral (
          -- Those that share an id are in one conversation, but for one that is full.
          select r.message_id from message_references r
          where r.tenant_id = of_tenant and r.digest = n.digest and r.message_id <> new_message
          order by r.message_id desc limit 5
        ) r
      ) k
      left join lateral (
        select c.conversation_id from conversation_messages c
        where c.tenant_id = of_tenant and c.message_id = k.message_id limit 1
      ) c on true
    ) f
    group by f.conversation_id order by f.conversation_id
  loop
    if joined is null then
      if found.size < most then
        joined := found.conversation_id;
        joined_alone := found.is_alone;
        size := found.size + 1;
      end if;
    elsif size + found.size <= most then
      if found.is_alone then
        insert into conversation_messages (tenant_id, message_id, conversation_id, created_at, seq)
        select m.tenant_id, m.id, joined, m.created_at, m.seq from messages m
        where m.tenant_id = of_tenant and m.id = found.conversation_id
        on conflict do nothing;
      else
        -- What is being deleted at this moment is left to whoever deletes it.
        update conversation_messages c set conversation_id = joined
        where c.tenant_id = of_tenant and c.message_id in (
          select o.message_id from conversation_messages o
          where o.tenant_id = of_tenant and o.conversation_id = found.conversation_id
          for update skip locked);
      end if;
      size := size + found.size;
    end if;
  end loop;
  if joined is not null then
    insert into conversation_messages (tenant_id, message_id, conversation_id, created_at, seq)
    select m.tenant_id, m.id, joined, m.created_at, m.seq from messages m
    where m.tenant_id = of_tenant and (m.id = new_message or (joined_alone and m.id = joined))
    on conflict do nothing;
  end if;
  return joined;
end $function$;

CREATE OR REPLACE FUNCTION public.mailbox_query(span_id bigint, words text[], beginnings boolean[], exclusions boolean[])
 RETURNS tsquery
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select string_agg(
    case when w.is_excluded then '!' else '' end || '''' || to_hex(span_id) || '/' ||
      replace(replace(w.word, '\', '\\'), '''', '''''') || '''' || case when w.is_beginning then ':*' else '' end,
    ' & ')::tsquery
  from unnest(words, beginnings, exclusions) as w (word, is_beginning, is_excluded)
$function$;

CREATE OR REPLACE FUNCTION public.measure_queue(of_queue text, OUT depth bigint, OUT oldest_seconds double precision, OUT overdue_seconds double precision)
 RETURNS record
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
 SET jit TO 'off'
AS $function$
declare
  moment timestamptz := clock_timestamp();
  ready_since timestamptz;
  scheduled_since timestamptz;
  held_since timestamptz;
  in_flight_since timestamptz;
  put_off_since timestamptz;
begin
  select count(*) into depth from (
    (select from jobs j where j.queue = of_queue and j.state = 'ready' limit 100000)
    union all
    (select from jobs j where j.queue = of_queue and j.state = 'scheduled' limit 100000)
    union all
    (select from jobs j where j.queue = of_queue and j.state = 'held' limit 100000)
    limit 100000
  ) waiting;

  with recursive heads (tenant_id, lane, due_at) as (
    (
      select j.tenant_id, j.lane, j.due_at from jobs j where j.queue = of_queue and j.state = 'ready'
      order by j.tenant_id, j.lane, j.due_at, j.id limit 1
    )
    union all
    select next.tenant_id, next.lane, next.due_at
    from heads
    cross join lateral (
      select j.tenant_id, j.lane, j.due_at from jobs j
      where j.queue = of_queue and j.state = 'ready' and (j.tenant_id, j.lane) > (heads.tenant_id, heads.lane)
      order by j.tenant_id, j.lane, j.due_at, j.id limit 1
    ) next
  )
  select min(h.due_at) into ready_since from heads h;

  with recursive heads (tenant_id, lane, due_at) as (
    (
      select j.tenant_id, j.lane, j.due_at from jobs j where j.queue = of_queue and j.state = 'held'
      order by j.tenant_id, j.lane, j.due_at, j.id limit 1
    )
    union all
    select next.tenant_id, next.lane, next.due_at
    from heads
    cross join lateral (
      select j.tenant_id, j.lane, j.due_at from jobs j
      where j.queue = of_queue and j.state = 'held' and (j.tenant_id, j.lane) > (heads.tenant_id, heads.lane)
      order by j.tenant_id, j.lane, j.due_at, j.id limit 1
    ) next
  )
  select min(h.due_at) into held_since from heads h;

  select j.due_at into scheduled_since from jobs j
  where j.queue = of_queue and j.state = 'scheduled' order by j.due_at limit 1;

  -- As many as workers have room for.
  select min(j.created_at) into in_flight_since from jobs j where j.queue = of_queue and j.state = 'leased';

  -- Whatever was due at once was made when it fell due. The others have an index of their own.
  select j.created_at into put_off_since from jobs j
  where j.queue = of_queue and j.due_at > j.created_at order by j.created_at limit 1;

  -- (least and greatest pass over nulls.)
  oldest_seconds := greatest(0, extract(epoch from
    moment - least(ready_since, held_since, in_flight_since, put_off_since, moment)));
  overdue_seconds := greatest(0, extract(epoch from moment - least(ready_since, scheduled_since, moment)));
end $function$;

CREATE OR REPLACE FUNCTION public.new_uuid(moment timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 PARALLEL SAFE
AS $function$
  select encode(overlay(uuid_send(gen_random_uuid()) placing int8send(
      (((extract(epoch from moment) * 1000000)::bigint / 1000) << 16) | 28672
      | ((extract(epoch from moment) * 1000000)::bigint % 1000 * 4096 / 1000)) from 1 for 8), 'hex')::uuid
$function$;

CREATE OR REPLACE FUNCTION public.next_due(of_queue text)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_sort TO 'off'
 SET enable_incremental_sort TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
 SET jit TO 'off'
AS $function$
begin
  return least(
    (select j.due_at from jobs j where j.queue = of_queue and j.state = 'scheduled' order by j.due_at limit 1),
    (select h.release_at from held_lanes h where h.queue = of_queue and h.release_at is not null
     order by h.release_at limit 1)
  );
end $function$;

CREATE OR REPLACE FUNCTION public.record_accepted(endpoint_tenants uuid[], endpoints uuid[], tenants uuid[], claims uuid[], job_ids bigint[], deliveries uuid[], cycles integer[], attempts integer[], receptions integer[], status_codes smallint[], durations_ms integer[])
 RETURNS boolean
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
 SET jit TO 'off'
AS $function$
#variable_conflict use_variable
declare
  missing bigint := cardinality(job_ids);
  settled bigint;
  again boolean := false;
begin
  perform from unnest(endpoint_tenants, endpoints) as n (tenant_id, id)
  cross join lateral (
    select from webhook_endpoints w
    where w.tenant_id = n.tenant_id and w.id = n.id and w.consecutive_failures > 0 offset 0
  ) failing;
  if found then return false; end if;
  loop
    with held as materialized (
      select n.tenant_id, n.claim, n.id, n.cycle, n.attempts, n.receptions, n.status_code, n.duration_ms, found.place
      from unnest(tenants, claims, job_ids, deliveries, cycles, attempts, receptions, status_codes, durations_ms)
        as n (tenant_id, claim, job_id, id, cycle, attempts, receptions, status_code, duration_ms)
      cross join lateral (
        select j.ctid as place from jobs j where j.tenant_id = n.tenant_id and j.id = n.job_id and j.claim = n.claim
        offset 0
      ) found
    ),
    removed as (
      delete from jobs j using held
      where j.ctid = held.place and j.claim = held.claim
      returning held.tenant_id, held.id, held.cycle, held.attempts, held.receptions, held.status_code, held.duration_ms
    ),
    changed as (
      update webhook_deliveries d
      set status = 'delivered', attempts = r.attempts, receptions = r.receptions, last_error = null,
        next_attempt_at = null, last_attempt_at = clock_timestamp(), last_status_code = r.status_code,
        last_duration_ms = r.duration_ms, delivered_at = clock_timestamp(), dead_at = null
      from removed r
      where d.tenant_id = r.tenant_id and d.id = r.id and d.cycle = r.cycle
        and (d.next_attempt_at is not null or d.last_error = 'endpoint_disabled')
    )
    select count(*) into settled from removed;
    missing := missing - settled;
    exit when missing = 0 or settled = 0 and again;
    again := true;
  end loop;
  return true;
end $function$;

CREATE OR REPLACE FUNCTION public.record_attempts(settlements json, results json)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
 SET jit TO 'off'
AS $function$
declare
  settled constant bigint[] := array(select settle_jobs(settlements));
begin
  -- next_attempt_at says that it is pending (a check ties them) and leads to no other index than the key. And now() lies
  -- before the moment at which the queue has set the job due: the delivery never falls due after its job.
  return query
  with changed as (
    update webhook_deliveries d
    set status = n.status, attempts = n.attempts, receptions = n.receptions, last_error = n.error,
      next_attempt_at = case when n.status = 'pending' then now() + n.due_in_ms * interval '1 millisecond' end,
      last_attempt_at = case when n.duration_ms is not null then clock_timestamp() else d.last_attempt_at end,
      last_status_code = case when n.duration_ms is not null then n.status_code else d.last_status_code end,
      last_duration_ms = coalesce(n.duration_ms, d.last_duration_ms),
      delivered_at = case when n.status = 'delivered' then clock_timestamp() end,
      dead_at = case when n.status = 'dead' then clock_timestamp() end
    from json_to_recordset(results) as n (job_id bigint, tenant_id uuid, id uuid, cycle integer, status text,
      attempts integer, receptions integer, due_in_ms double precision, status_code smallint, duration_ms integer,
      error text, attempt_error text, answer text)
    where n.job_id = any (settled)
      and d.tenant_id = n.tenant_id and d.id = n.id and d.cycle = n.cycle
      and (d.next_attempt_at is not null or n.status = 'delivered' and d.last_error = 'endpoint_disabled')
    returning d.tenant_id, d.id, d.cycle, d.attempts, d.status, d.last_attempt_at, n.status_code, n.duration_ms,
      coalesce(n.attempt_error, n.error) as error, n.answer
  ),
  kept as (
    insert into webhook_attempts (tenant_id, delivery_id, cycle, number, at, status_code, error, duration_ms, answer)
    select c.tenant_id, c.id, c.cycle, c.attempts, c.last_attempt_at, c.status_code, c.error, c.duration_ms, c.answer
    from changed c where c.duration_ms is not null and c.status <> 'delivered'
    on conflict (tenant_id, delivery_id, cycle, number) do nothing
  )
  select c.id from changed c;
end $function$;

CREATE OR REPLACE FUNCTION public.record_tries(tries json, most integer)
 RETURNS void
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
 SET jit TO 'off'
AS $function$
begin
  with given as materialized (
    select g.tenant_id, g.message_id, g.result, g.answers, now() + g.next_in_ms * interval '1 millisecond' as next_at,
      last.number, last.times, last.result = g.result and last.answers::text = g.answers::text as is_same
    from json_to_recordset(tries) as g (tenant_id uuid, message_id uuid, result text, answers json, next_in_ms bigint)
    cross join lateral (
      select from message_states s where s.tenant_id = g.tenant_id and s.message_id = g.message_id limit 1
    ) there
    left join lateral (
      select t.number, t.times, t.result, t.answers from submission_tries t
      where t.tenant_id = g.tenant_id and t.message_id = g.message_id
      order by t.number desc limit 1
    ) last on true
  ),
  counted as (
    update submission_tries t set times = t.times + 1, last_at = now(), next_attempt_at = g.next_at
    from given g
    where g.is_same and t.tenant_id = g.tenant_id and t.message_id = g.message_id and t.number = g.number
  ),
  dropped as (
    delete from submission_tries t
    using given g
    cross join lateral (
      select k.number, count(*) over () as kept from submission_tries k
      where k.tenant_id = g.tenant_id and k.message_id = g.message_id
      order by k.number limit 1 offset 1
    ) second
    where g.is_same is not true and g.number + g.times > most and second.kept >= most
      and t.tenant_id = g.tenant_id and t.message_id = g.message_id and t.number = second.number
  )
  insert into submission_tries (tenant_id, message_id, number, first_at, last_at, result, answers, next_attempt_at)
  select g.tenant_id, g.message_id, coalesce(g.number + g.times, 1), now(), now(), g.result, g.answers, g.next_at
  from given g where g.is_same is not true;
end $function$;

CREATE OR REPLACE FUNCTION public.release_held_jobs(of_queue text, moment timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  -- How many lanes and jobs are looked at in one claim at most, so that many of them do not hold it up.
  most_lanes constant integer := 64;
  wave constant integer := 500;
  -- How soon a lane is looked at again whose one job is on its way: whatever becomes of that, the next one goes on.
  look_again constant interval := '1 second';
  released integer := 0;
  waiting record;
  most integer;
  changed integer;
begin
  for waiting in
    select h.tenant_id, h.lane, h.held_until = '-infinity' or not exists (
        select from lane_caps c where c.tenant_id = h.tenant_id and c.queue = of_queue and c.lane = h.lane
      ) as is_open
    from held_lanes h
    where h.queue = of_queue and h.release_at <= moment
    order by h.release_at limit most_lanes for update of h skip locked
  loop
    exit when released >= wave;
    most := case
      when waiting.is_open then wave - released
      when exists (
        select from jobs j where j.queue = of_queue and j.state = 'ready' and j.tenant_id = waiting.tenant_id
          and j.lane = waiting.lane
      ) or exists (
        select from jobs j where j.queue = of_queue and j.state = 'leased' and j.tenant_id = waiting.tenant_id
          and j.lane = waiting.lane
      ) then 0
      else 1
    end;
    update jobs set state = 'ready'
    where ctid = any (array(
      select j.ctid from jobs j
      where j.queue = of_queue and j.state = 'held' and j.tenant_id = waiting.tenant_id and j.lane = waiting.lane
      order by j.due_at, j.id limit most
    ));
    get diagnostics changed = row_count;
    released := released + changed;
    perform from jobs j
    where j.queue = of_queue and j.state = 'held' and j.tenant_id = waiting.tenant_id and j.lane = waiting.lane limit 1;
    if found then
      update held_lanes h set release_at = case when waiting.is_open then moment else moment + look_again end
      where h.tenant_id = waiting.tenant_id and h.queue = of_queue and h.lane = waiting.lane;
    elsif waiting.is_open then
      delete from held_lanes h
      where h.tenant_id = waiting.tenant_id and h.queue = of_queue and h.lane = waiting.lane;
    else
      update held_lanes h set release_at = null
      where h.tenant_id = waiting.tenant_id and h.queue = of_queue and h.lane = waiting.lane;
    end if;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.remove_attempts()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
 SET jit TO 'off'
AS $function$
begin
  delete from webhook_attempts a using removed_deliveries d where a.tenant_id = d.tenant_id and a.delivery_id = d.id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.renew_jobs(claims json, lease interval)
 RETURNS SETOF bigint
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
 SET jit TO 'off'
AS $function$
begin
  return query
  with held as materialized (
    select found.place, found.id
    from json_to_recordset(claims) as c (tenant_id uuid, id bigint, claim uuid)
    cross join lateral (
      select j.ctid as place, j.id from jobs j where j.tenant_id = c.tenant_id and j.id = c.id and j.claim = c.claim
      offset 0
    ) found
  ),
  free as materialized (
    select j.ctid as place from jobs j where j.ctid = any (array(select held.place from held)) for update skip locked
  ),
  renewed as (
    update jobs set leased_until = clock_timestamp() + lease where ctid = any (array(select free.place from free))
  )
  select held.id from held;
end $function$;

CREATE OR REPLACE FUNCTION public.resume_jobs(of_queue text, most integer, after_tenant uuid, after_lane uuid, OUT resumed integer, OUT last_tenant uuid, OUT last_lane uuid)
 RETURNS record
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET enable_sort TO 'off'
 SET enable_incremental_sort TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
 SET jit TO 'off'
AS $function$
declare
  first constant uuid := '00000000-0000-0000-0000-000000000000';
  moment timestamptz := clock_timestamp();
  share integer;
  due integer;
  tenants uuid[];
  lanes uuid[];
  changed integer;
begin
  resumed := 0;
  with recursive walk (tenant_id, lane, found) as (
    select after_tenant, after_lane, 0
    union all
    select next.tenant_id, next.lane, walk.found + 1
    from walk
    cross join lateral (
      select j.tenant_id, j.lane from jobs j
      where j.queue = of_queue and j.state = 'scheduled' and j.resumable_at is not null
        and (j.tenant_id, j.lane) > (walk.tenant_id, walk.lane)
      order by j.tenant_id, j.lane, j.resumable_at limit 1
    ) next
    where walk.found < most
  )
  select array_agg(w.tenant_id), array_agg(w.lane) into tenants, lanes from walk w where w.found > 0;

  share := greatest(1, most / cardinality(lanes));
  for i in 1 .. coalesce(cardinality(lanes), 0) loop
    select count(*) into due from (
      select from jobs j
      where j.queue = of_queue and j.state = 'ready' and j.tenant_id = tenants[i] and j.lane = lanes[i] limit share
    ) of_lane;
    continue when due = share;
    update jobs set state = 'ready', due_at = moment
    where ctid = any (array(
      select j.ctid from jobs j
      where j.queue = of_queue and j.state = 'scheduled' and j.resumable_at is not null
        and j.tenant_id = tenants[i] and j.lane = lanes[i] and j.resumable_at <= moment
      order by j.resumable_at limit share - due for update skip locked
    ));
    get diagnostics changed = row_count;
    resumed := resumed + changed;
  end loop;
  if cardinality(lanes) = most then
    last_tenant := tenants[most];
    last_lane := lanes[most];
  else
    last_tenant := first;
    last_lane := first;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.sealed_with(envelope bytea)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select (get_byte(envelope, 1)::bigint << 24) + (get_byte(envelope, 2) << 16) + (get_byte(envelope, 3) << 8)
    + get_byte(envelope, 4)
$function$;

CREATE OR REPLACE FUNCTION public.settle_jobs(settlements json)
 RETURNS SETOF bigint
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
 SET jit TO 'off'
AS $function$
declare
  missing bigint := json_array_length(settlements);
  settled bigint;
  again boolean := false;
begin
  loop
    return query
    with held as materialized (
      select found.place, s.claim, s.kind, s.reason, s.due_in_ms, s.keep_receptions, s.payload,
        s.resumable_in_ms
      from json_to_recordset(settlements) as s (tenant_id uuid, id bigint, claim uuid, kind text, reason text,
        due_in_ms bigint, keep_receptions boolean, payload jsonb, resumable_in_ms bigint)
      cross join lateral (
        select j.ctid as place from jobs j where j.tenant_id = s.tenant_id and j.id = s.id and j.claim = s.claim
        offset 0
      ) found
    ),
    removed as (
      delete from jobs j using held
      where j.ctid = held.place and j.claim = held.claim and held.kind in ('done', 'deadLetter')
      returning j.tenant_id, j.id, j.queue, j.lane, j.subject_id, j.payload, j.receptions, held.kind, held.reason
    ),
    dead_lettered as (
      insert into dead_letters (tenant_id, id, queue, lane, subject_id, payload, reason, receptions)
      select r.tenant_id, r.id, r.queue, r.lane, r.subject_id, r.payload, r.reason, r.receptions
      from removed r where r.kind = 'deadLetter'
    ),
    returned as (
      update jobs j
      set claim = null, leased_until = null, state = case when held.due_in_ms > 0 then 'scheduled' else 'ready' end,
        due_at = clock_timestamp() + coalesce(held.due_in_ms, 0) * interval '1 millisecond',
        resumable_at = clock_timestamp() + held.resumable_in_ms * interval '1 millisecond',
        receptions = case when held.kind = 'giveBack' then j.receptions - 1
          when held.keep_receptions then j.receptions else 0 end,
        payload = coalesce(held.payload, j.payload)
      from held
      where j.ctid = held.place and j.claim = held.claim and held.kind in ('putBack', 'giveBack')
      returning j.id
    )
    select r.id from removed r union all select r.id from returned r;
    get diagnostics settled = row_count;
    missing := missing - settled;
    exit when missing = 0 or settled = 0 and again;
    again := true;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.stored_bytes_added()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare changes json;
begin
  select json_agg(json_build_object('tenant_id', tenant_id, 'bytes', size_bytes)) into changes
  from new_rows where size_bytes > 0;
  if changes is not null then perform add_stored_bytes(changes); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.stored_bytes_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare changes json;
begin
  select json_agg(json_build_object('tenant_id', n.tenant_id, 'bytes', coalesce(n.size_bytes, 0) - coalesce(o.size_bytes, 0)))
  into changes
  from new_rows n join old_rows o on o.message_id = n.message_id
  where n.size_bytes is distinct from o.size_bytes;
  if changes is not null then perform add_stored_bytes(changes); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.stored_bytes_removed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare changes json;
begin
  select json_agg(json_build_object('tenant_id', tenant_id, 'bytes', -size_bytes)) into changes
  from old_rows where size_bytes > 0;
  if changes is not null then perform add_stored_bytes(changes); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.uuid_at(moment timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select encode(substring(int8send((extract(epoch from moment) * 1000)::bigint) from 3) || '\x70008000000000000000',
    'hex')::uuid
$function$;

CREATE TRIGGER api_keys_changed AFTER DELETE OR UPDATE ON public.api_keys FOR EACH STATEMENT EXECUTE FUNCTION bump_credential_version();

CREATE TRIGGER apps_changed AFTER DELETE OR UPDATE ON public.apps FOR EACH STATEMENT EXECUTE FUNCTION bump_credential_version();

CREATE TRIGGER attachments_removed AFTER DELETE ON public.attachments REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION stored_bytes_removed();

CREATE TRIGGER attachments_stored AFTER INSERT ON public.attachments REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION stored_bytes_added();

CREATE TRIGGER events_are_delivered AFTER INSERT ON public.events REFERENCING NEW TABLE AS new_events FOR EACH STATEMENT EXECUTE FUNCTION deliver_events();

CREATE TRIGGER message_states_removed AFTER DELETE ON public.message_states REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION stored_bytes_removed();

CREATE TRIGGER message_states_resized AFTER UPDATE ON public.message_states REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION stored_bytes_changed();

CREATE TRIGGER messages_removed AFTER DELETE ON public.messages REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION stored_bytes_removed();

CREATE TRIGGER plans_changed AFTER INSERT OR DELETE OR UPDATE ON public.plans FOR EACH STATEMENT EXECUTE FUNCTION bump_credential_version();

CREATE TRIGGER tenants_changed AFTER DELETE OR UPDATE OF plan, status ON public.tenants FOR EACH STATEMENT EXECUTE FUNCTION bump_credential_version();

CREATE TRIGGER attempts_are_removed AFTER DELETE ON public.webhook_deliveries REFERENCING OLD TABLE AS removed_deliveries FOR EACH STATEMENT EXECUTE FUNCTION remove_attempts();
