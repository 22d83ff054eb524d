-- What a runtime enrolls with (contract, section 8): good once, and for its own instance alone.
create table enrollment_tokens (
  token_hash bytea primary key,
  tenant_id uuid not null,
  instance_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  -- What it was spent for: given once more while nobody has used it, should the answer have been lost.
  certificate_serial text references certificates (serial) deferrable initially deferred,
  check ((used_at is null) = (certificate_serial is null)),
  foreign key (tenant_id, instance_id) references instances (tenant_id, id)
);
create index enrollment_tokens_instance on enrollment_tokens (tenant_id, instance_id);
call enable_tenant_rls('enrollment_tokens');

-- The runtime's end of the tunnel: a WireGuard public key, 32 bytes in base64. Two peers with one key are one peer.
alter table instances add column wg_public_key text
  check (wg_public_key ~ '^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$');
create unique index instances_wg_public_key on instances (wg_public_key) where wg_public_key is not null;

-- When an instance last renewed: specification, section 8, one per hour.
create index certificates_renewed on certificates (instance_id, revoked_at desc) where replaced_by is not null;
