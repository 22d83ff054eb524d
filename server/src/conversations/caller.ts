import type { IncomingHttpHeaders } from 'node:http';
import type { Sender } from '../platform/actor.ts';
import { isUuid } from '../platform/contract/formats.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { found, missing, notFound } from '../platform/errors.ts';
import type { JsonObject } from '../platform/json/json-object.ts';
import { CONVERSATION_HEADER } from './caller.contract.ts';
import { findCaller } from './caller.db.ts';

interface CallerRequest {
  params: { instance_id: string };
  /** A sender token takes precedence over `customer_id`. */
  query: { customer_id?: string | undefined };
  headers: IncomingHttpHeaders;
  sender: Sender | undefined;
}

/** The customer and conversation that a call of an agent is for. */
export interface Caller {
  instance_id: string;
  customer_id: string;
  recipe_id: string;
  conversation_id: string | null;
  sender: Sender | undefined;
  config: JsonObject;
}

/**
 * Identifies the customer and conversation of a gateway call (contract, section 14). A shared instance has to send a sender
 * token or `customer_id` (422). 404 for a customer that the instance does not serve, and for a conversation of another sender.
 */
export async function identifyCaller(q: Queryable, request: CallerRequest): Promise<Caller> {
  const { params, query, headers, sender } = request;
  const { instance_id } = params;
  const customer_id = sender?.customer_id ?? query.customer_id ?? null;
  const named = headers[CONVERSATION_HEADER];
  const given = named === undefined ? undefined : String(named).toLowerCase();
  if (given !== undefined && !isUuid(given)) throw notFound('Conversation');
  const conversation_id = given ?? sender?.conversation_id ?? null;
  const row = found('Instance', await q.run(findCaller(instance_id, customer_id, conversation_id)));
  if (row.hosting_mode === 'shared' && customer_id === null) throw missing('query', 'customer_id');
  const served = found('Customer', row.customer_id);
  const isOther = sender !== undefined && given !== undefined && given !== sender.conversation_id;
  if (isOther || (given !== undefined && !row.has_conversation)) throw notFound('Conversation');
  return {
    instance_id,
    customer_id: served,
    recipe_id: row.recipe_id,
    conversation_id: row.has_conversation ? conversation_id : null,
    sender,
    config: row.resolved_config ?? {},
  };
}
