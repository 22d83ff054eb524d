import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../actor.ts';
import type { Operation, ReplyOf } from '../contract/operation.ts';
import type { SystemDb, TenantDb } from '../db/queryable.ts';
import { ValidationError } from '../errors.ts';
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
  /** Valid parameters of path and query together. */
  parameters: Readonly<Record<string, unknown>>;
  headers: IncomingHttpHeaders;
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
  /** Rejects a request of an operation with `protectedBy` that lacks a proof. */
  guard: (call: ProtectedCall) => Promise<void>;
  checkReply?: CheckReply;
}

/** Compiles an operation's validation, once. */
export function compileRoute<S>({ operation, run }: Route<S>, runtime: Runtime<S>): CompiledRoute {
  const { services, checkReply } = runtime;
  const validate = requestValidator(operation);
  const checkProof = proofCheck(operation, runtime);
  const describe = changeDescriber(operation, runtime.clock);
  return {
    operation,
    execute: async (parts, admitted) => {
      const { actor, request = withoutHeaders, reply } = admitted;
      const { isStillAdmitted = justAdmitted, onRefused = neverRefused } = admitted;
      await checkProof?.(parts, actor, request.headers);
      const { params, query, body } = validate(parts);
      const tenant_id = await tenantOf(runtime, actor, params);
      const change = describe?.(admitted, tenant_id, params);
      const q = runtime.tenant(tenant_id, change);
      const system = runtime.system(change);
      // Field by field: spread together it is ten times as large.
      const call = {
        actor,
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
      const signal = operation.load && abortOnDisconnect(reply);
      const answer = await runtime.admission.run(operation.load, tenant_id, handle, signal);
      if (answer) checkReply?.(operation, answer.status, answer.body);
      return answer;
    },
  };
}

/**
 * A missing proof is refused before a malformed body (contract, section 1), so path and query are validated for it alone.
 * Faults in them are left to the validation of the whole request, which lists all faults.
 */
function proofCheck<S>({ protectedBy, body: _, ...operation }: Operation, runtime: Runtime<S>) {
  if (!protectedBy) return undefined;
  const validate = requestValidator(operation);
  return async (parts: RequestParts, actor: Actor, headers: IncomingHttpHeaders): Promise<void> => {
    const valid = validOrUndefined(() => validate({ ...parts, body: undefined }));
    if (!valid) return;
    const parameters = Object.assign({}, valid.params, valid.query);
    const q = runtime.tenant(await tenantOf(runtime, actor, valid.params), undefined);
    await runtime.guard({ q, protectedBy, parameters, headers });
  };
}

function validOrUndefined<T>(validate: () => T): T | undefined {
  try {
    return validate();
  } catch (error) {
    if (error instanceof ValidationError) return undefined;
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
