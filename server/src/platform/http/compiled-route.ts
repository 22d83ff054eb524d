import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor, Sender } from '../actor.ts';
import { isUuid } from '../contract/formats.ts';
import type { Operation, ReplyOf, SenderTraits } from '../contract/operation.ts';
import type { SystemDb, TenantDb } from '../db/queryable.ts';
import { ServiceError, ValidationError } from '../errors.ts';
import type { Admission } from '../load/admission.ts';
import type { Clock } from '../ports.ts';
import { changeDescriber } from './change-description.ts';
import { abortOnDisconnect, type Route } from './handler.ts';
import { type RequestParts, requestValidator } from './validation.ts';

/** Sees each reply; tests refuse those that the operation does not declare. */
export type CheckReply = (operation: Operation, status: number, body: unknown) => void;

/** The caller of an admitted request, with its HTTP exchange. A tool's call has no exchange of its own. */
export interface Admitted {
  actor: Actor;
  request_id: string;
  request?: FastifyRequest;
  reply?: FastifyReply;
  isStillAdmitted?: () => Promise<boolean>;
  onRefused?: (listener: () => void) => Promise<() => void>;
}

/** An operation with compiled checks, ready to run for an admitted caller over HTTP or as a tool. */
export interface CompiledRoute {
  operation: Operation;
  /** Throws a ValidationError unless the request is valid. */
  validate: (parts: RequestParts) => void;
  /**
   * Validates the request (ValidationError) and runs the handler in the request's tenant.
   * @returns undefined when the handler has answered by itself (a stream)
   */
  execute: (parts: RequestParts, admitted: Admitted) => Promise<ReplyOf<Operation> | undefined>;
}

/** A tool's call has no headers. */
const withoutHeaders = { headers: {} } as FastifyRequest;

/** No tool is a long-lived response. */
const justAdmitted = () => Promise.resolve(true);
const neverRefused = () => Promise.resolve(() => {});

/** A request of an operation with `protectedBy`. */
export interface ProtectedCall {
  q: TenantDb;
  protectedBy: readonly string[];
  /** False where every sender may use the skills. */
  introducedOnly: boolean;
  sender: Sender | undefined;
  /** Valid parameters of path and query together. */
  parameters: Readonly<Record<string, unknown>>;
  headers: IncomingHttpHeaders;
}

/** A request of an internal route, before it was validated. */
interface SenderCall {
  q: TenantDb;
  traits: SenderTraits;
  instance_id: string;
  headers: IncomingHttpHeaders;
  body: unknown;
  requires_sender_token: boolean | undefined;
}

/** Reads the tokens of senders, and keeps requests to what concerns them. */
export interface Senders {
  /** Rejects with 401 or 403; undefined for a request that may do without a token and has none. */
  identify: (call: SenderCall) => Promise<Sender | undefined>;
  /** Rejects with 404 a request that names somebody else. @returns the parts with ids filled in */
  narrow: (q: TenantDb, sender: Sender, traits: SenderTraits, parts: RequestParts) => Promise<RequestParts>;
}

/** The parts of the service that every operation's handler is run with. */
export interface Runtime<S> {
  services: S;
  /** Statements in a tenant, on behalf of a request that may change something. */
  tenant: (tenant_id: string, change: string | undefined) => TenantDb;
  /** The same of the service itself. */
  system: (change: string | undefined) => SystemDb;
  clock: Clock;
  admission: Admission;
  /** Rejects with 404 where there is no such instance. */
  tenantOfInstance: (instance_id: string) => Promise<string>;
  senders: Senders;
  /** Rejects a request of an operation with `protectedBy` that lacks a proof. */
  guard: (call: ProtectedCall) => Promise<void>;
  checkReply?: CheckReply;
}

/** Compiles an operation's validation, once. */
export function compileRoute<S>({ operation, run }: Route<S>, runtime: Runtime<S>): CompiledRoute {
  const { services, checkReply } = runtime;
  const validate = requestValidator(operation);
  const identify = senderCheck(operation, runtime);
  const narrow = narrowing(operation, runtime);
  const checkProof = proofCheck(operation, runtime, narrow);
  const describe = changeDescriber(operation, runtime.clock);
  return {
    operation,
    validate,
    execute: async (parts, admitted) => {
      const { actor, request = withoutHeaders, reply } = admitted;
      const { isStillAdmitted = justAdmitted, onRefused = neverRefused } = admitted;
      const sender = await identify?.(parts, actor, request.headers);
      await checkProof?.(parts, actor, request.headers, sender);
      const valid = validate(parts);
      const tenant_id = await tenantOf(runtime, actor, valid.params);
      const change = describe?.(admitted, tenant_id, valid.params);
      const q = runtime.tenant(tenant_id, change);
      const { params, query, body } = await narrow(q, sender, valid);
      const system = runtime.system(change);
      // Field by field: spread together it is ten times as large.
      const call = {
        actor,
        sender,
        tenant_id,
        q,
        system,
        params,
        query,
        body,
        request,
        reply,
        isStillAdmitted,
        onRefused,
      };
      const handle = () => run(call as Parameters<typeof run>[0], services);
      const { instance_id } = params as { instance_id?: string };
      const signal = operation.load && abortOnDisconnect(reply);
      const answer = await runtime.admission.run(operation.load, tenant_id, handle, signal, instance_id);
      if (answer) checkReply?.(operation, answer.status, answer.body);
      return answer;
    },
  };
}

/** Reads the token before anything else of the request: a wrong one is 401 (contract, section 1). */
function senderCheck<S>({ sender: traits }: Operation, runtime: Runtime<S>) {
  if (typeof traits !== 'object') return undefined;
  return async ({ params, body }: RequestParts, actor: Actor, headers: IncomingHttpHeaders) => {
    const { instance_id } = params as { instance_id: string };
    // The validation refuses it, and an instance that is not there is 404 behind the validation.
    if (!isUuid(instance_id)) return undefined;
    const requires_sender_token = actor.kind === 'instance' ? actor.requires_sender_token : undefined;
    const call = { traits, instance_id: instance_id.toLowerCase(), headers, body, requires_sender_token };
    const tenant_id = await unlessRefused(() => tenantOf(runtime, actor, { instance_id: call.instance_id }));
    if (tenant_id === undefined) return undefined;
    return runtime.senders.identify({ q: runtime.tenant(tenant_id, undefined), ...call });
  };
}

type Narrow = (q: TenantDb, sender: Sender | undefined, parts: RequestParts) => Promise<RequestParts>;

const narrowing = <S>({ sender: traits }: Operation, { senders }: Runtime<S>): Narrow =>
  typeof traits === 'object'
    ? async (q, sender, parts) => (sender ? senders.narrow(q, sender, traits, parts) : parts)
    : async (_, __, parts) => parts;

/**
 * A missing proof is refused before a malformed body (contract, section 1), so path and query are validated for it alone.
 * Faults in them are left to the validation of the whole request, which lists all faults, and so is somebody else than the
 * sender to the 404 behind it.
 */
function proofCheck<S>({ body: _, ...operation }: Operation, runtime: Runtime<S>, narrow: Narrow) {
  const { protectedBy, sender: traits } = operation;
  if (!protectedBy) return undefined;
  const introducedOnly = typeof traits === 'object' && traits.introducedOnly === true;
  const validate = requestValidator(operation);
  return async (
    parts: RequestParts,
    actor: Actor,
    headers: IncomingHttpHeaders,
    sender: Sender | undefined,
  ): Promise<void> => {
    const valid = await unlessRefused(() => validate({ ...parts, body: undefined }));
    if (!valid) return;
    const tenant_id = await unlessRefused(() => tenantOf(runtime, actor, valid.params));
    if (tenant_id === undefined) return;
    const q = runtime.tenant(tenant_id, undefined);
    const own = await unlessRefused(() => narrow(q, sender, valid));
    if (!own) return;
    const parameters = Object.assign({}, own.params, own.query);
    await runtime.guard({ q, protectedBy, introducedOnly, sender, parameters, headers });
  };
}

/** undefined for what validation, or the 404 behind it, refuses. */
async function unlessRefused<T>(check: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof ValidationError) return undefined;
    if (error instanceof ServiceError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** The caller's tenant, or for the operator the one in the path or that of the instance there. */
async function tenantOf<S>(runtime: Runtime<S>, actor: Actor, params: unknown): Promise<string> {
  if ('tenant_id' in actor) return actor.tenant_id;
  if (actor.kind !== 'operations') return '';
  const { instance_id, tenant_id = '' } = params as { instance_id?: string; tenant_id?: string };
  if (instance_id === undefined) return tenant_id;
  return runtime.tenantOfInstance(instance_id);
}
