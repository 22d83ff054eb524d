-- A login and what was begun with its access tokens (switch-tenant) are one family. Whoever took one of its tokens could
-- begin a login with it that went on when the family was revoked.
-- The id of the family's first session, which may be another tenant's; null: this is the first.
alter table sessions add column family_id uuid;
-- Of the first session: when an old refresh token of the family came back, which ended all of it.
alter table sessions add column reused_at timestamptz;
