export type Role = 'admin' | 'member';

/** The authenticated caller. Every tenant-bound kind carries its tenant. */
export type Actor =
  | { kind: 'api_key'; tenant_id: string; key_id: string; role: Role; scopes: readonly string[] }
  | { kind: 'user'; tenant_id: string; user_id: string; session_id: string; role: Role }
  /** `requires_sender_token`: what the instance's PIN policy says, where the look-up of the credential has read it. */
  | { kind: 'instance'; tenant_id: string; instance_id: string; requires_sender_token?: boolean }
  | { kind: 'operations' }
  | { kind: 'anonymous' };

/** A person who writes to an instance, in one conversation with one of its customers' agents. */
export interface Sender {
  tenant_id: string;
  instance_id: string;
  conversation_id: string;
  customer_id: string;
  /** null for a sender whom the customer does not know. */
  identity_id: string | null;
  channel: string;
  /** The sender's addresses there, as the channel wrote them. */
  addresses: readonly string[];
}

export type TenantActor = Extract<Actor, { kind: 'api_key' | 'user' }>;
