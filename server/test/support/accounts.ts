import { expect } from 'vitest';
import type { Role } from '../../src/platform/actor.ts';
import type { Client } from './client.ts';
import { PASSWORD, type TestService, type TestTenant } from './service.ts';

export interface Pair {
  access_token: string;
  refresh_token: string;
  tenant_id: string;
  role: string;
}

interface Invitation {
  invitation_token: string;
  expires_at: string;
}

export const OWN_PASSWORD = 'owner-chose-4-piano';

export async function invite({ api }: TestTenant, email: string, role: Role = 'member'): Promise<string> {
  const { status, body } = await api.post<Invitation>('/v1/users/invitations', { email, role });
  expect(status).toBe(201);
  return body.invitation_token;
}

export async function joinAsOwner(
  service: TestService,
  home: TestTenant,
  other: TestTenant,
  { role = 'member' }: { role?: Role } = {},
): Promise<Client> {
  const client = await service.login(home.admin_email);
  const change = { current_password: PASSWORD, new_password: OWN_PASSWORD };
  expect((await client.patch('/v1/me', change)).status).toBe(204);
  const invitation_token = await invite(other, home.admin_email, role);
  const accepted = await client.post<Pair>('/auth/invitations/accept', { invitation_token });
  expect([accepted.status, accepted.body.tenant_id]).toEqual([200, other.tenant_id]);
  return client;
}
