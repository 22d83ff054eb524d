import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor, Sender } from '../actor.ts';
import type { BodyOf, Operation, ParamsOf, QueryOf, ReplyOf } from '../contract/operation.ts';
import type { SystemDb, TenantDb } from '../db/queryable.ts';
import { tryAgain } from '../errors.ts';

/** A validated request. */
export interface Call<O> {
  actor: Actor;
  /** The sender whose token a runtime sent. */
  sender: Sender | undefined;
  /** The caller's tenant, or the instance's on an internal route; empty without one. */
  tenant_id: string;
  /** In that tenant. */
  q: TenantDb;
  /** In the system scope; changes of a tenant are recorded for this request. */
  system: SystemDb;
  params: ParamsOf<O>;
  query: QueryOf<O>;
  body: BodyOf<O>;
  request: FastifyRequest;
  reply: FastifyReply;
  /** For a long-lived response. Rejects when that cannot be checked. */
  isStillAdmitted: () => Promise<boolean>;
  /**
   * Calls back soon after the caller loses access. 429 when the tenant has too many long-lived responses. @returns
   * unsubscribe
   */
  onRefused: (listener: () => void) => Promise<() => void>;
}

/** Resolves with undefined when the handler has sent the response itself (a stream). */
type Run<O, S> = (call: Call<O>, services: S) => Promise<ReplyOf<O> | undefined>;

/** A handler that needs the services `S`. */
export interface Route<S> {
  operation: Operation;
  run: Run<Operation, S>;
}

export const route = <O, S>(operation: O, run: Run<O, S>): Route<S> =>
  ({ operation, run }) as unknown as Route<S>;

/** Aborts when the client disconnects; undefined for a tool, which is part of a larger exchange. */
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
