-- Four bytes of the SHA-256 of a key's secret. A wrong secret shows by them without an Argon2 hash; of 256 random bits
-- they leave 224 to whoever reads this table. Null in keys made before: their hash alone decides.
alter table api_keys add column secret_tag bytea check (octet_length(secret_tag) = 4);
