import type { Client } from './client.ts';

export interface PinStatus {
  has_pin: boolean;
  is_active: boolean;
  is_locked: boolean;
  locked_until: string | null;
  created_at: string | null;
}

export interface PinVerification {
  verified: boolean;
  session_token: string | null;
  session_ttl_minutes: number | null;
  remaining_attempts: number;
  error: string | null;
}

export const refused = (error: string, remaining_attempts: number): PinVerification => ({
  verified: false,
  session_token: null,
  session_ttl_minutes: null,
  remaining_attempts,
  error,
});

export class PinRoutes {
  readonly client: Client;
  readonly instance_id: string;
  readonly path: string;

  constructor(client: Client, instance_id: string) {
    this.client = client;
    this.instance_id = instance_id;
    this.path = `/internal/v1/instances/${instance_id}`;
  }

  /** Sent in X-Pin-Session. */
  with(session_token: string | null): PinRoutes {
    return new PinRoutes(this.client.with({ 'x-pin-session': session_token ?? '' }), this.instance_id);
  }

  verify(pin: string, ids: object = {}) {
    return this.client.post<PinVerification>(`${this.path}/pin/verify`, { pin, ...ids });
  }
  session(session_token: string | null, purpose?: string) {
    return this.client.post<{ valid: boolean; expires_at: string | null }>(`${this.path}/pin/session`, {
      session_token,
      purpose,
    });
  }
  required(customer_id: string, identity_id?: string) {
    const query = new URLSearchParams({ customer_id, ...(identity_id && { identity_id }) });
    return this.client.post<Record<string, unknown>>(`${this.path}/pin/check-required?${query.toString()}`);
  }
  setOwn(identity_id: string, pin: string, current_pin?: string) {
    return this.client.post<PinStatus>(`${this.path}/identities/${identity_id}/pin`, { pin, current_pin });
  }
  removeOwn(identity_id: string) {
    return this.client.delete(`${this.path}/identities/${identity_id}/pin`);
  }
}
