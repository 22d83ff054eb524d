import type { DeployRequest } from '@agent-control-plane/sdk';
import { type JsonObject, mergeObjects } from './recipe-patch.ts';

/** The decisions of a person about a deploy. */
export interface DeployInputs {
  recipe_id: string;
  customer_id: string;
  hostname: string;
  tier_id: string;
  region_id: string;
  /** Empty: as the recipe says. */
  hosting_mode: '' | 'dedicated' | 'shared';
  /** Without a number and without connections, to talk to it on its page alone. */
  isTried: boolean;
  overrides: JsonObject;
}

const TRIED: JsonObject = { channel_types: ['playground'], connection_requirements: [] };

/** Undefined where nothing is different for this agent. */
export function overridesOf({ isTried, overrides }: Pick<DeployInputs, 'isTried' | 'overrides'>) {
  const all = isTried ? mergeObjects(overrides, TRIED) : overrides;
  return Object.keys(all).length > 0 ? { ...all } : undefined;
}

export interface Keyed {
  /** The inputs that the key was made for. */
  of: string;
  key: string;
}

/**
 * The service answers a repeated key with the agent that it deployed before. So the same inputs keep their key, however
 * often they are sent, and other inputs get one of their own.
 */
export function keyFor(inputs: DeployInputs, before: Keyed | undefined, mint: () => string): Keyed {
  const of = JSON.stringify(inputs);
  return before?.of === of ? before : { of, key: mint() };
}

/** Plain HTTP to a name has no `randomUUID`. */
export const mintKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((each) => each.toString(16).padStart(2, '0')).join('');

export function deployBody(inputs: DeployInputs, key: string, plan_hash: string | undefined): DeployRequest {
  const { recipe_id, customer_id, tier_id, region_id, hosting_mode } = inputs;
  const instance_overrides = overridesOf(inputs);
  return {
    recipe_id,
    customer_id,
    tier_id,
    region_id,
    hostname: inputs.hostname.trim(),
    idempotency_key: key,
    ...(hosting_mode !== '' && { hosting_mode }),
    ...(instance_overrides && { instance_overrides }),
    ...(plan_hash !== undefined && { plan_hash }),
  };
}

const part = (name: string) =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 40)
    .replaceAll(/-$/g, '');

/** "crew-desk.harbour-logistics", for those who do not care. */
export const hostnameFor = (recipe: string, customer: string): string =>
  [part(recipe), part(customer)].filter((each) => each !== '').join('.');
