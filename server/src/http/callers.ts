import type { FastifyRequest } from 'fastify';
import { networkOf } from '../domain/networks.ts';

/** Who a request's share is taken from: its tenant, or the network that it comes from where nobody is known. */
export const callerOf = ({ actor, clientAddress }: FastifyRequest): string =>
  'tenant_id' in actor ? actor.tenant_id : `${actor.kind} at ${networkOf(clientAddress)}`;
