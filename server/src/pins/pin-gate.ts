import type { IncomingHttpHeaders } from 'node:http';
import { findServedIdentityById } from '../identities/identities.db.ts';
import { findServedIdentity } from '../identities/identity-addresses.db.ts';
import { matchesFor } from '../identities/known-addresses.ts';
import type { Sender } from '../platform/actor.ts';
import type { Queryable } from '../platform/db/queryable.ts';
import { forbidden } from '../platform/errors.ts';
import { sha256 } from '../secrets/sealing.ts';
import { PIN_NOT_SET, PIN_REQUIRED, PIN_SESSION_HEADER } from './pin-gate.contract.ts';
import { listTargetCustomers, type RequestTarget } from './pin-gate.db.ts';
import { findPinPolicy } from './pin-policies.db.ts';
import { appliesTo } from './pin-policies.ts';
import { findPinSession, type PinSessionRow } from './pin-sessions.db.ts';
import { anyPinExists, findEffectivePin } from './pins.db.ts';
import { requireIntroduction } from './sender-gate.ts';
import { matchesAny } from './skill-patterns.ts';

interface ProtectedRequest {
  q: Queryable;
  protectedBy: readonly string[];
  /** False where everybody may use the skills. */
  introducedOnly: boolean;
  /** From the sender token. */
  sender: Sender | undefined;
  /** Path and query, validated. */
  parameters: Readonly<Record<string, unknown>>;
  headers: IncomingHttpHeaders;
}

export const sessionTokenOf = (headers: IncomingHttpHeaders): string | null => {
  const token = headers[PIN_SESSION_HEADER];
  return typeof token === 'string' ? token : null;
};

export async function requireProofs(request: ProtectedRequest): Promise<void> {
  const { q, sender, protectedBy, introducedOnly } = request;
  if (sender && introducedOnly) await requireIntroduction(q, sender, protectedBy);
  await requirePinSession(request);
}

/** Contract, section 17. A request without a customer of the instance passes, because its handler refuses it. */
async function requirePinSession(request: ProtectedRequest): Promise<void> {
  const { q, protectedBy, parameters, headers, sender } = request;
  const instance_id = String(parameters.instance_id);
  const policy = await q.run(findPinPolicy(instance_id));
  if (!policy?.enforced || !policy.pin_required_skills.some((skill) => matchesAny(skill, protectedBy)))
    return;
  const target = await toRequestTarget(q, instance_id, parameters);
  const [customers, session, found] = await q.run(
    listTargetCustomers(instance_id, target),
    findPinSession({ token_hash: sha256(sessionTokenOf(headers) ?? ''), instance_id }),
    sender
      ? findServedIdentityById(instance_id, sender)
      : findServedIdentity(instance_id, target.channel_type ?? '', target.channel_addresses),
  );
  const [first, ...others] = customers;
  if (!first) return;
  const { customer_id } = first;
  const identity = found?.customer_id === customer_id ? found : undefined;
  if (!appliesTo(policy.pin_applies_to, identity?.role_override ?? null)) return;
  const [pin, isAnySet] = await q.run(
    findEffectivePin({ customer_id, identity_id: identity?.identity_id ?? null }),
    anyPinExists(customer_id),
  );
  const unlocks = ({ pin_id, purpose, ...owner }: PinSessionRow) =>
    others.length === 0 &&
    owner.customer_id === customer_id &&
    (identity === undefined || pin_id === pin?.id) &&
    isOfSender(owner, sender) &&
    (purpose === null || matchesAny(purpose, protectedBy));
  if (session && unlocks(session)) return;
  const isSet = identity ? pin !== undefined : isAnySet;
  throw forbidden(isSet ? PIN_REQUIRED : PIN_NOT_SET);
}

interface ToolProof {
  /** From X-Pin-Session. */
  session_token: string | null;
  /** The tool's names, of which a session may have any. */
  purposes: readonly string[];
  customer_id: string;
  sender: Sender | undefined;
}

/** Accepts a session of the customer, or of the sender's own PIN (contract, section 14). */
export async function hasPinSession(
  q: Queryable,
  instance_id: string,
  { session_token, purposes, customer_id, sender }: ToolProof,
): Promise<boolean> {
  if (session_token === null) return false;
  const identity_id = sender?.identity_id ?? null;
  const [session, pin] = await q.run(
    findPinSession({ token_hash: sha256(session_token), instance_id }),
    findEffectivePin({ customer_id, identity_id }),
  );
  return (
    session !== undefined &&
    session.customer_id === customer_id &&
    (identity_id === null || session.pin_id === pin?.id) &&
    isOfSender(session, sender) &&
    (session.purpose === null || purposes.includes(session.purpose))
  );
}

/** Sessions of other identities do not count. */
export const isOfSender = (
  { customer_id, identity_id }: Pick<PinSessionRow, 'customer_id' | 'identity_id'>,
  sender: Sender | undefined,
): boolean =>
  sender === undefined ||
  (customer_id === sender.customer_id && (identity_id === null || identity_id === sender.identity_id));

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

async function toRequestTarget(
  q: Queryable,
  instance_id: string,
  parameters: Readonly<Record<string, unknown>>,
): Promise<RequestTarget> {
  const channel_type = text(parameters.channel_type);
  const channel_address = text(parameters.channel_address);
  return {
    customer_id: text(parameters.customer_id),
    person_id: text(parameters.person_id),
    channel_type,
    channel_addresses:
      channel_address === null ? [] : await matchesFor(q, instance_id, channel_type ?? '', channel_address),
    connection_name: text(parameters.connection_name),
  };
}
