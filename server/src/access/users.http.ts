import { unauthenticated } from '../platform/errors.ts';
import { created, noContent, ok, route } from '../platform/http/handler.ts';
import { pageOf } from '../platform/http/page.ts';
import type { Services } from '../services.ts';
import * as contract from './users.contract.ts';
import { addUser, changeUser, findMember, listMembers, listMemberships, removeUser } from './users.ts';

export const userRoutes = [
  route(contract.listUsers, async ({ q, query }) =>
    ok(await pageOf(query, (...window) => listMembers(q, ...window))),
  ),

  route(contract.createUser, async ({ tenant_id, body }, services: Services) =>
    created(await addUser(services.db, services.hasher, tenant_id, body)),
  ),

  route(contract.updateUser, async ({ tenant_id, params, body }, services: Services) =>
    ok(await changeUser(services, tenant_id, params.user_id, body, services.clock())),
  ),

  route(contract.deleteUser, async ({ tenant_id, params }, services: Services) => {
    await removeUser(services.db, tenant_id, params.user_id, services.clock());
    return noContent();
  }),

  route(contract.getMe, async ({ actor, q }, services: Services) => {
    if (actor.kind !== 'user') throw unauthenticated();
    const [member, memberships] = await Promise.all([
      findMember(q, actor.user_id),
      listMemberships(services.db.system, actor.user_id),
    ]);
    const here = memberships.find(({ tenant_id }) => tenant_id === actor.tenant_id);
    if (!member || !here) throw unauthenticated();
    return ok({
      user: { id: member.id, email: member.email },
      tenant: { id: here.tenant_id, name: here.tenant_name },
      role: member.role,
      memberships,
    });
  }),
];
