export type Role = 'admin' | 'member';

/** The authenticated caller. Every tenant-bound kind carries its tenant. */
export type Actor =
  | { kind: 'api_key'; tenant_id: string; key_id: string; role: Role; scopes: readonly string[] }
  | { kind: 'user'; tenant_id: string; user_id: string; session_id: string; role: Role }
  | { kind: 'instance'; tenant_id: string; instance_id: string }
  | { kind: 'operations' }
  | { kind: 'anonymous' };

export type TenantActor = Extract<Actor, { kind: 'api_key' | 'user' }>;
