import { VERSION } from '../platform/contract/about.ts';
import type { Database } from '../platform/db/database.ts';
import { unauthenticated } from '../platform/errors.ts';
import { created, noContent, ok, route } from '../platform/http/handler.ts';
import { page } from '../platform/http/page.ts';
import type { Hasher } from './hasher.port.ts';
import * as contract from './users.contract.ts';
import { findMember, listMembers, listMemberships } from './users.db.ts';
import { addUser, changeUser, removeUser } from './users.ts';

interface MeServices {
  db: Database;
  settings: { llm: { model: string } | undefined; public_url: () => string };
}

export const userRoutes = [
  route(contract.listUsers, async ({ q, query }) => ok(await page(q, query, listMembers))),

  route(contract.createUser, async ({ q, body }, { hasher }: { hasher: Hasher }) =>
    created(await addUser(q, hasher, body)),
  ),

  route(contract.updateUser, async ({ q, params, body }, { hasher }: { hasher: Hasher }) =>
    ok(await changeUser(q, hasher, params.user_id, body)),
  ),

  route(contract.deleteUser, async ({ q, params }) => {
    await removeUser(q, params.user_id);
    return noContent();
  }),

  route(contract.getMe, async ({ actor, q }, { db, settings }: MeServices) => {
    if (actor.kind !== 'user') throw unauthenticated();
    const [member, memberships] = await Promise.all([
      q.run(findMember(actor.user_id)),
      db.system.run(listMemberships(actor.user_id)),
    ]);
    const here = memberships.find(({ tenant_id }) => tenant_id === actor.tenant_id);
    if (!member || !here) throw unauthenticated();
    return ok({
      user: { id: member.id, email: member.email },
      tenant: { id: here.tenant_id, name: here.tenant_name },
      role: member.role,
      memberships,
      capabilities: {
        language_model: settings.llm !== undefined,
        model: settings.llm?.model ?? null,
        version: VERSION,
        base_url: settings.public_url(),
      },
    });
  }),
];
