import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor, Sender } from '../actor.ts';
import { isUuid } from '../contract/formats.ts';
import type { Operation, ReplyOf, SenderTraits } from '../contract/operation.ts';
import type { SystemDb, TenantDb } from '../db/queryable.ts';
import { ServiceError, ValidationError } from '../errors.ts';
import { type Admission, isBeforeBody } from '../load/admission.ts';
import type { Release } from '../load/semaphore.ts';
import type { Clock } from '../ports.ts';
import { changeDescriber } from './change-description.ts';
import { abortOnDisconnect, type Route } from './handler.ts';
import { type RequestParts, requestValidator } from './validation.ts';

/** Tests use it to refuse undeclared replies. */
export type CheckReply = (operation: Operation, status: number, body: unknown) => void;

/** An admitted caller with its HTTP exchange; tool calls have none. */
interface Admitted {
  actor: Actor;
  request_id: string;
  request?: FastifyRequest;
  reply?: FastifyReply;
  isStillAdmitted?: () => Promise<boolean>;
  onRefused?: (listener: () => void) => Promise<() => void>;
}

/** Runs for an admitted caller over HTTP or as a tool. */
export interface CompiledRoute {
  operation: Operation;
  /** Throws a ValidationError. */
  validate: (parts: RequestParts) => void;
  /**
   * Validates the request (ValidationError) and runs the handler in its tenant.
   * @returns undefined when the handler has sent the response itself (a stream)
   */
  execute: (parts: RequestParts, admitted: Admitted) => Promise<ReplyOf<Operation> | undefined>;
  /** Takes the permit of a load before the body is read. @returns undefined where none is needed */
  enter?: (actor: Actor, params: unknown) => Promise<Release | undefined>;
}

/** Tool calls have no headers. */
const withoutHeaders = { headers: {} } as FastifyRequest;

/** Tools are not long-lived. */
const alwaysAdmitted = () => Promise.resolve(true);
const neverRefused = () => Promise.resolve(() => {});

/** A call of an operation with `protectedBy`. */
interface ProtectedCall {
  q: TenantDb;
  protectedBy: readonly string[];
  /** False: every sender may use the skills. */
  introducedOnly: boolean;
  sender: Sender | undefined;
  /** Valid parameters of path and query. */
  parameters: Readonly<Record<string, unknown>>;
  headers: IncomingHttpHeaders;
}

/** A call of an internal route, before validation. */
interface SenderCall {
  q: TenantDb;
  traits: SenderTraits;
  instance_id: string;
  headers: IncomingHttpHeaders;
  body: unknown;
  requires_sender_token: boolean | undefined;
}

/** Reads sender tokens and restricts requests to the sender. */
interface Senders {
  /** Rejects with 401 or 403; undefined without a token if none is required. */
  identify: (call: SenderCall) => Promise<Sender | undefined>;
  /** 404 for foreign ids. @returns the parts with ids filled in */
  narrow: (q: TenantDb, sender: Sender, traits: SenderTraits, parts: RequestParts) => Promise<RequestParts>;
}

/** Shared by all handlers. */
export interface Runtime<S> {
  services: S;
  /** @param change describes the request if it may change something */
  tenant: (tenant_id: string, change: string | undefined) => TenantDb;
  /** For the service itself. */
  system: (change: string | undefined) => SystemDb;
  clock: Clock;
  admission: Admission;
  /** 404 for an unknown instance. */
  tenantOfInstance: (instance_id: string) => Promise<string>;
  senders: Senders;
  /** Rejects without the proof that `protectedBy` requires. */
  guard: (call: ProtectedCall) => Promise<void>;
  checkReply?: CheckReply;
}

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
    enter: async (actor, params) => {
      const { load } = operation;
      if (load === undefined || !isBeforeBody(load)) return undefined;
      const { instance_id } = params as { instance_id?: string };
      // Validation refuses it later.
      const isWrong = instance_id !== undefined && !isUuid(instance_id);
      const tenant_id = isWrong ? '' : await unlessRefused(() => tenantOf(runtime, actor, params));
      return runtime.admission.enter(load, tenant_id ?? '');
    },
    execute: async (parts, admitted) => {
      const { actor, request = withoutHeaders, reply } = admitted;
      const { isStillAdmitted = alwaysAdmitted, onRefused = neverRefused } = admitted;
      const sender = await identify?.(parts, actor, request.headers);
      await checkProof?.(parts, actor, request.headers, sender);
      const valid = validate(parts);
      const tenant_id = await tenantOf(runtime, actor, valid.params);
      const change = describe?.(admitted, tenant_id, valid.params);
      const q = runtime.tenant(tenant_id, change);
      const { params, query, body } = await narrow(q, sender, valid);
      const system = runtime.system(change);
      // A spread object is ten times as large.
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
      const answer = await runtime.admission.run(operation.load, tenant_id, handle, signal, {
        instance_id,
        bytes: bytesOf(operation, request),
      });
      if (answer) checkReply?.(operation, answer.status, answer.body);
      return answer;
    },
  };
}

/** The length of the body; a chunked one may be as large as the operation takes. */
function bytesOf({ maxBodyMiB = 1 }: Operation, request: FastifyRequest | undefined): number {
  const length = request?.headers['content-length'];
  if (length !== undefined) return Number(length);
  return request?.headers['transfer-encoding'] === undefined ? 0 : maxBodyMiB * 1024 * 1024;
}

/** Reads the token first: a wrong one is 401 (contract, section 1). */
function senderCheck<S>({ sender: traits }: Operation, runtime: Runtime<S>) {
  if (typeof traits !== 'object') return undefined;
  return async ({ params, body }: RequestParts, actor: Actor, headers: IncomingHttpHeaders) => {
    const { instance_id } = params as { instance_id: string };
    // Validation refuses it later; an unknown instance is 404 after validation.
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
 * A missing proof is refused before a malformed body (contract, section 1), so this validates only path and query.
 * Validation errors and foreign ids are ignored here; the full validation and the 404 check report them afterwards.
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

/** undefined after a validation error or 404. */
async function unlessRefused<T>(check: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof ValidationError) return undefined;
    if (error instanceof ServiceError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** The caller's tenant; for the operator the tenant in the path or that of the instance. */
async function tenantOf<S>(runtime: Runtime<S>, actor: Actor, params: unknown): Promise<string> {
  if ('tenant_id' in actor) return actor.tenant_id;
  if (actor.kind !== 'operations') return '';
  const { instance_id, tenant_id = '' } = params as { instance_id?: string; tenant_id?: string };
  if (instance_id === undefined) return tenant_id;
  return runtime.tenantOfInstance(instance_id);
}
