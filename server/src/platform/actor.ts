export type Role = 'admin' | 'member';

/** The authenticated caller. */
export type Actor =
  | { kind: 'api_key'; tenant_id: string; key_id: string; role: Role; scopes: readonly string[] }
  | { kind: 'user'; tenant_id: string; user_id: string; session_id: string; role: Role }
  /** `requires_sender_token`: the instance's PIN policy, if it was read with the credential. */
  | { kind: 'instance'; tenant_id: string; instance_id: string; requires_sender_token?: boolean }
  | { kind: 'operations' }
  | { kind: 'anonymous' };

/** A person in a conversation with an instance, on behalf of one of its customers. */
export interface Sender {
  tenant_id: string;
  instance_id: string;
  conversation_id: string;
  customer_id: string;
  /** null: unknown to the customer. */
  identity_id: string | null;
  channel: string;
  /** As the channel wrote them. */
  addresses: readonly string[];
  /** The burst that the token came with, by its first message, and the try of it. Older tokens have none. */
  burst?: { message_id: string; try_id: string };
}

export type TenantActor = Extract<Actor, { kind: 'api_key' | 'user' }>;
