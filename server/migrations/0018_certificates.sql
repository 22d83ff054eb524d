-- The keys of the private certificate authority. A private key stands here sealed under the wrapping key.
create table ca_keys (
  id uuid primary key,
  kind text not null check (kind in ('root', 'issuing')),
  -- The certificate; of an issuing one that was given by file, what stands between it and its root as well.
  cert_pem text not null,
  cert_sha256 bytea not null,
  serial text not null,
  -- null: a root whose key is kept elsewhere.
  sealed_private_key bytea,
  issued_by uuid references ca_keys (id),
  not_before timestamptz not null,
  not_after timestamptz not null,
  -- Issues nothing any more; is trusted until what it issued has run out.
  retired_at timestamptz,
  created_at timestamptz not null default now(),
  constraint ca_keys_certificate unique (kind, cert_sha256),
  check (sealed_private_key is not null or kind = 'root'),
  check ((issued_by is null) = (kind = 'root'))
);
-- One of each kind is at work, however many copies of the service start at once.
create unique index ca_keys_at_work on ca_keys (kind) where retired_at is null;
grant select, insert, update (retired_at) on ca_keys to acp_system;

-- Every copy of the service looks anew when a key comes or is retired.
create function notify_ca_keys() returns trigger
  language plpgsql
  as $$
begin
  perform pg_notify('ca_keys', '');
  return null;
end $$;
create trigger notify_ca_keys after insert or update on ca_keys
  for each statement execute function notify_ca_keys();

-- Every certificate that an instance was ever given (specification, section 4.10).
create table certificates (
  -- 32 hexadecimal digits, the first neither 0 nor above 7: as every tool writes it.
  serial text primary key check (serial ~ '^[4-7][0-9a-f]{31}$'),
  tenant_id uuid not null,
  instance_id uuid not null,
  issuer_id uuid not null references ca_keys (id),
  cert_pem text not null,
  -- SHA-256 of the key's SubjectPublicKeyInfo.
  public_key_sha256 bytea not null,
  spiffe_id text not null,
  not_before timestamptz not null,
  not_after timestamptz not null,
  issued_at timestamptz not null,
  revoked_at timestamptz,
  revocation_reason text
    check (revocation_reason in ('unspecified', 'key_compromise', 'superseded', 'cessation_of_operation')),
  -- The certificate that took its place.
  replaced_by text references certificates (serial) deferrable initially deferred,
  first_used_at timestamptz,
  check ((revoked_at is null) = (revocation_reason is null)),
  foreign key (tenant_id, instance_id) references instances (tenant_id, id)
);
-- An instance has one that counts: of two renewals at once, one wins.
create unique index certificates_current on certificates (instance_id) where revoked_at is null;
create index certificates_instance on certificates (tenant_id, instance_id, issued_at desc);
create index certificates_revoked on certificates (issuer_id, not_after) where revoked_at is not null;
call enable_tenant_rls('certificates');
grant update (first_used_at) on certificates to acp_system;
