import type { IncomingHttpHeaders } from 'node:http';
import { elementSlug, isSkillOff } from '../catalogue/slugs.ts';
import { normaliseHostname } from '../customers/websites.ts';
import { spellingsOf } from '../identities/address-spellings.ts';
import { matchesFor } from '../identities/known-addresses.ts';
import type { SenderTokens } from '../identities/sender-tokens.ts';
import {
  NOT_INTRODUCED,
  SENDER_TOKEN_HEADER,
  SENDER_TOKEN_REQUIRED,
} from '../identities/senders.contract.ts';
import type { Sender } from '../platform/actor.ts';
import type { FieldPlace, SenderTraits } from '../platform/contract/operation.ts';
import type { Queryable, TenantQueryable } from '../platform/db/queryable.ts';
import { forbidden, notFound, unauthenticated } from '../platform/errors.ts';
import { isJsonObject } from '../platform/json/json-object.ts';
import { findPinPolicy } from './pin-policies.db.ts';
import { findForeign, findIntroduction, findSenderAddresses } from './sender-gate.db.ts';
import { matchesAny } from './skill-patterns.ts';

/** Before validation. */
interface SenderRequest {
  q: TenantQueryable;
  traits: SenderTraits;
  instance_id: string;
  headers: IncomingHttpHeaders;
  body: unknown;
  /** From the PIN policy; undefined if not read yet. */
  requires_sender_token: boolean | undefined;
}

/** Validated. */
type Parts = Record<FieldPlace, unknown>;

/**
 * Contract, section 17. 401 for an invalid, expired or foreign token; 403 for a missing one that the instance requires.
 * @returns undefined without a token
 */
export async function identifySender(
  tokens: SenderTokens,
  { q, traits, instance_id, headers, body, requires_sender_token }: SenderRequest,
): Promise<Sender | undefined> {
  const token = headers[SENDER_TOKEN_HEADER];
  if (token !== undefined) {
    const sender = tokens.read(String(token), q.now);
    const isOurs = sender?.instance_id === instance_id && sender.tenant_id === q.tenant_id;
    // A token ends with its conversation.
    const addresses = isOurs ? await q.run(findSenderAddresses(sender.conversation_id)) : undefined;
    if (sender && addresses) return { ...sender, addresses };
    throw unauthenticated('The sender token is not valid, or has expired');
  }
  if (mayLackToken(traits, body)) return undefined;
  if (requires_sender_token ?? (await q.run(findPinPolicy(instance_id)))?.require_sender_token) {
    throw forbidden(SENDER_TOKEN_REQUIRED);
  }
  return undefined;
}

function mayLackToken({ mayLackToken: rule }: SenderTraits, body: unknown): boolean {
  if (typeof rule !== 'object') return rule === true;
  return isJsonObject(body) && (body[rule.whileNull] ?? null) === null;
}

/** Fills in the sender's ids. 404 when the request is about somebody else. */
export async function narrowToSender(
  q: Queryable,
  sender: Sender,
  traits: SenderTraits,
  parts: Parts,
): Promise<Parts> {
  const spellings = await requestedSpellings(q, sender, traits, parts);
  refuseOthers(sender, traits, parts, spellings);
  const named = requestedIds(traits, parts, spellings);
  if (named.person_id !== null || named.hostname !== null || named.channel !== null) {
    const foreign = await q.run(findForeign(sender, named));
    if (foreign.person) throw notFound('Staff member');
    if (foreign.hostname) throw notFound('Hostname');
    if (foreign.address) throw notFound('Identity');
  }
  const withCustomer = fillField(parts, traits.customer_id, 'customer_id', sender.customer_id);
  return fillField(withCustomer, traits.identity_id, 'identity_id', sender.identity_id);
}

/** Everything that the address in the request may be found by; none without an address. */
async function requestedSpellings(
  q: Queryable,
  { instance_id }: Sender,
  { address }: SenderTraits,
  parts: Parts,
): Promise<string[]> {
  const channel = address && readField(parts, address.place, address.channel);
  const given = address && readField(parts, address.place, address.external_id);
  return given === undefined ? [] : matchesFor(q, instance_id, channel ?? '', given);
}

function refuseOthers(
  sender: Sender,
  { address, ...traits }: SenderTraits,
  parts: Parts,
  spellings: readonly string[],
): void {
  const isOther = (
    place: FieldPlace | undefined,
    name: 'conversation_id' | 'identity_id' | 'customer_id',
  ) => {
    const value = readField(parts, place, name);
    return value !== undefined && value !== sender[name];
  };
  if (isOther(traits.conversation_id, 'conversation_id')) throw notFound('Conversation');
  if (isOther(traits.identity_id, 'identity_id')) throw notFound('Identity');
  if (isOther(traits.customer_id, 'customer_id')) throw notFound(missingResource(parts, traits, address?.of));
  if (!address) return;
  const channel = readField(parts, address.place, address.channel);
  if (channel === undefined || spellings.length === 0) return;
  const own = sender.addresses.flatMap(spellingsOf);
  if (channel !== sender.channel || !spellings.some((spelling) => own.includes(spelling))) {
    throw notFound(address.of);
  }
}

/** As the handler would, so a foreign id looks like an unknown one. */
function missingResource(parts: Parts, traits: SenderTraits, ofAddress: string | undefined): string {
  if (readField(parts, traits.identity_id, 'identity_id') !== undefined) return 'Identity';
  return ofAddress ?? 'Customer';
}

function requestedIds(
  { person_id, hostname, address }: SenderTraits,
  parts: Parts,
  spellings: readonly string[],
) {
  const host = readField(parts, hostname, 'hostname');
  // Workers are looked up within the customer anyway.
  const identity = address?.of === 'Identity' ? address : undefined;
  return {
    person_id: readField(parts, person_id, 'person_id') ?? null,
    hostname: host === undefined ? null : (normaliseHostname(host) ?? null),
    channel: (identity && readField(parts, identity.place, identity.channel)) ?? null,
    external_ids: identity ? spellings : [],
  };
}

/** undefined where absent, null or empty. */
function readField(parts: Parts, place: FieldPlace | undefined, name: string): string | undefined {
  const part = place && parts[place];
  const value = isJsonObject(part) ? part[name] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function fillField(parts: Parts, place: FieldPlace | undefined, name: string, id: string | null): Parts {
  const part = place && parts[place];
  if (!place || !isJsonObject(part) || id === null || readField(parts, place, name) !== undefined)
    return parts;
  return { ...parts, [place]: { ...part, [name]: id } };
}

/** A public skill admits senders without introduction (contract, section 17). */
export async function requireIntroduction(
  q: Queryable,
  sender: Sender,
  protectedBy: readonly string[],
): Promise<void> {
  const { is_introduced, config } = await q.run(
    findIntroduction(sender, sender.addresses.flatMap(spellingsOf)),
  );
  if (is_introduced || publicSkills(config).some((skill) => matchesAny(skill, protectedBy))) return;
  throw forbidden(NOT_INTRODUCED);
}

const publicSkills = (config: { skills: unknown; module_config: unknown } | null): string[] =>
  (Array.isArray(config?.skills) ? config.skills : [])
    .filter((skill) => isJsonObject(skill) && skill.public === true)
    .filter((skill) => !isSkillOff(config?.module_config, elementSlug(skill)))
    .map((skill) => elementSlug(skill) ?? '');
