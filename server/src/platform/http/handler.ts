import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor, Sender } from '../actor.ts';
import type { BodyOf, Operation, ParamsOf, QueryOf, ReplyOf } from '../contract/operation.ts';
import type { SystemDb, TenantDb } from '../db/queryable.ts';
import { tryAgain } from '../errors.ts';

/** One validated request of an operation. */
export interface Call<O> {
  actor: Actor;
  /** For whom a runtime asks, where it shows a sender's token. */
  sender: Sender | undefined;
  /** The caller's tenant, or the instance's on an internal route. Empty where the operation has none. */
  tenant_id: string;
  /** Statements in that tenant. */
  q: TenantDb;
  /** Statements of the service itself on behalf of this request: what they change of a tenant is recorded. */
  system: SystemDb;
  params: ParamsOf<O>;
  query: QueryOf<O>;
  body: BodyOf<O>;
  request: FastifyRequest;
  reply: FastifyReply;
  /** For a long-lived response: true while the caller would still be admitted. Rejects when that cannot be checked. */
  isStillAdmitted: () => Promise<boolean>;
  /**
   * Calls back soon after the caller is not admitted any more. Rejects with 429 where the tenant has too many long-lived
   * responses. @returns unsubscribe
   */
  onRefused: (listener: () => void) => Promise<() => void>;
}

/** Resolves with undefined when the handler has answered by itself (a stream). */
export type Run<O, S> = (call: Call<O>, services: S) => Promise<ReplyOf<O> | undefined>;

/** An operation with its handler, which asks for the services `S`. */
export interface Route<S> {
  operation: Operation;
  run: Run<Operation, S>;
}

export const route = <O, S>(operation: O, run: Run<O, S>): Route<S> =>
  ({ operation, run }) as unknown as Route<S>;

/** Aborted when the client disconnects before its answer; undefined for a tool, which is called in a larger exchange. */
export function abortOnDisconnect(reply: FastifyReply | undefined): AbortSignal | undefined {
  if (!reply) return undefined;
  const gone = new AbortController();
  const leave = () => gone.abort(tryAgain('Nobody waits for the answer'));
  if (reply.raw.destroyed) leave();
  else reply.raw.once('close', leave);
  return gone.signal;
}

export const ok = <T>(body: T) => ({ status: 200 as const, body });
export const created = <T>(body: T) => ({ status: 201 as const, body });
export const accepted = <T>(body: T) => ({ status: 202 as const, body });
export const noContent = () => ({ status: 204 as const, body: null });
export const notModified = (headers: Record<string, string>) => ({
  status: 304 as const,
  body: null,
  headers,
});
