import type { IncomingHttpHeaders } from 'node:http';
import { elementSlug, isSkillOff } from '../catalogue/slugs.ts';
import { normaliseHostname } from '../customers/websites.ts';
import { spellingsOf } from '../identities/address-spellings.ts';
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
import { findForeign, findIntroduction } from './sender-gate.db.ts';
import { isOneOf } from './skill-patterns.ts';

/** A request of an internal route, before it was validated. */
export interface SenderRequest {
  q: TenantQueryable;
  traits: SenderTraits;
  instance_id: string;
  headers: IncomingHttpHeaders;
  body: unknown;
  /** As the instance's PIN policy says; undefined where it was not read yet. */
  requires_sender_token: boolean | undefined;
}

/** The parts of a request, validated. */
export type Parts = Record<FieldPlace, unknown>;

/**
 * Reads the sender's token of a request (contract, section 17). 401 for a token that does not open, has expired or belongs
 * to another instance; 403 for a missing one where the instance requires it.
 * @returns undefined without a token
 */
export async function identifySender(
  tokens: SenderTokens,
  { q, traits, instance_id, headers, body, requires_sender_token }: SenderRequest,
): Promise<Sender | undefined> {
  const token = headers[SENDER_TOKEN_HEADER];
  if (token !== undefined) {
    const sender = tokens.read(String(token), q.now);
    if (sender?.instance_id === instance_id && sender.tenant_id === q.tenant_id) return sender;
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

/** The parts of a request that is about the sender, with optional ids filled in; 404 where it is about somebody else. */
export async function narrowToSender(
  q: Queryable,
  sender: Sender,
  traits: SenderTraits,
  parts: Parts,
): Promise<Parts> {
  refuseOthers(sender, traits, parts);
  const named = namedIn(traits, parts);
  if (named.person_id !== null || named.hostname !== null || named.channel !== null) {
    const foreign = await q.run(findForeign(sender, named));
    if (foreign.person) throw notFound('Staff member');
    if (foreign.hostname) throw notFound('Hostname');
    if (foreign.address) throw notFound('Identity');
  }
  const withCustomer = filled(parts, traits.customer_id, 'customer_id', sender.customer_id);
  return filled(withCustomer, traits.identity_id, 'identity_id', sender.identity_id);
}

/** The fields that the token itself tells. */
function refuseOthers(sender: Sender, { address, ...traits }: SenderTraits, parts: Parts): void {
  const isOther = (
    place: FieldPlace | undefined,
    name: 'conversation_id' | 'identity_id' | 'customer_id',
  ) => {
    const value = fieldOf(parts, place, name);
    return value !== undefined && value !== sender[name];
  };
  if (isOther(traits.conversation_id, 'conversation_id')) throw notFound('Conversation');
  if (isOther(traits.identity_id, 'identity_id')) throw notFound('Identity');
  if (isOther(traits.customer_id, 'customer_id')) throw notFound(ownerIn(parts, traits, address?.of));
  if (!address) return;
  const channel = fieldOf(parts, address.place, address.channel);
  const given = fieldOf(parts, address.place, address.external_id);
  if (channel === undefined || given === undefined) return;
  const own = sender.addresses.flatMap(spellingsOf);
  if (channel !== sender.channel || !spellingsOf(given).some((spelling) => own.includes(spelling))) {
    throw notFound(address.of);
  }
}

/** As handlers call the narrowest thing that they do not find of a customer. */
function ownerIn(parts: Parts, traits: SenderTraits, ofAddress: string | undefined): string {
  if (fieldOf(parts, traits.identity_id, 'identity_id') !== undefined) return 'Identity';
  return ofAddress ?? 'Customer';
}

function namedIn({ person_id, hostname, address }: SenderTraits, parts: Parts) {
  const host = fieldOf(parts, hostname, 'hostname');
  // A worker is found among the people of the customer, an identity by its address alone.
  const identity = address?.of === 'Identity' ? address : undefined;
  const external_id = identity && fieldOf(parts, identity.place, identity.external_id);
  return {
    person_id: fieldOf(parts, person_id, 'person_id') ?? null,
    hostname: host === undefined ? null : (normaliseHostname(host) ?? null),
    channel: (identity && fieldOf(parts, identity.place, identity.channel)) ?? null,
    external_ids: external_id === undefined ? [] : spellingsOf(external_id),
  };
}

/** The text of a field; undefined where it is left out, null or empty. */
function fieldOf(parts: Parts, place: FieldPlace | undefined, name: string): string | undefined {
  const part = place && parts[place];
  const value = isJsonObject(part) ? part[name] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function filled(parts: Parts, place: FieldPlace | undefined, name: string, id: string | null): Parts {
  const part = place && parts[place];
  if (!place || !isJsonObject(part) || id === null || fieldOf(parts, place, name) !== undefined) return parts;
  return { ...parts, [place]: { ...part, [name]: id } };
}

/** Refuses a sender whom nobody has introduced, unless a public skill opens the operation (contract, section 17). */
export async function requireIntroduction(
  q: Queryable,
  sender: Sender,
  protectedBy: readonly string[],
): Promise<void> {
  const { is_introduced, config } = await q.run(
    findIntroduction(sender, sender.addresses.flatMap(spellingsOf)),
  );
  if (is_introduced || publicSkills(config).some((skill) => isOneOf(skill, protectedBy))) return;
  throw forbidden(NOT_INTRODUCED);
}

const publicSkills = (config: { skills: unknown; module_config: unknown } | null): string[] =>
  (Array.isArray(config?.skills) ? config.skills : [])
    .filter((skill) => isJsonObject(skill) && skill.public === true)
    .filter((skill) => !isSkillOff(config?.module_config, elementSlug(skill)))
    .map((skill) => elementSlug(skill) ?? '');
