import Type, { type Static } from 'typebox';
import { isJsonObject, type JsonObject } from '../../platform/json/json-object.ts';
import type { ActingKeys } from './acting-key.ts';
import { readKey } from './read-key.ts';
import { aliasOf } from './tool-names.ts';

const DEFAULT_EXPIRES_MINUTES = 1440;
const MAX_EXPIRES_MINUTES = 10_080;

const Rule = Type.Object({
  tool: Type.String({ minLength: 1, maxLength: 300 }),
  by: Type.Union([Type.Literal('person'), Type.Literal('pin')]),
  expires_minutes: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: MAX_EXPIRES_MINUTES }), Type.Null()]),
  ),
});

export type ApprovalRule = Static<typeof Rule>;

const REQUIRE = {
  by: 'control_plane',
  shape: Type.Array(Rule),
  expected: `a list of {tool, by: person or pin, expires_minutes?: 1 to ${MAX_EXPIRES_MINUTES}}; until then every tool waits for a person`,
} as const;

export const APPROVAL_RULES_KEYS: ActingKeys = { require: REQUIRE };

/** Fails closed: an invalid value makes every tool wait for a person (contract, section 12). */
const EVERY_TOOL: readonly ApprovalRule[] = [{ tool: '*', by: 'person' }];

export function readApprovalRules({ approval_rules = null }: JsonObject): readonly ApprovalRule[] {
  if (approval_rules === null) return [];
  if (!isJsonObject(approval_rules)) return EVERY_TOOL;
  const { require = null } = approval_rules;
  if (require === null) return [];
  return readKey(REQUIRE, require) ?? EVERY_TOOL;
}

/** The rule by which a call waits for a person. */
export interface WaitingRule {
  /** As the rule names it. */
  tool: string;
  expires_minutes: number;
}

/** All rules that match a tool, combined. */
interface Demands {
  pin: boolean;
  /** The one that waits the shortest; undefined: no person has to decide. */
  waits: WaitingRule | undefined;
}

/** @param tool its gateway name. Rules may also name the alias that models call it by. */
export function demandsFor(rules: readonly ApprovalRule[], tool: string): Demands {
  const names = [tool, aliasOf(tool)];
  const matching = rules.filter((rule) => names.some((name) => matches(rule.tool, name)));
  const waits = matching
    .filter(({ by }) => by === 'person')
    .map((rule) => ({ tool: rule.tool, expires_minutes: rule.expires_minutes ?? DEFAULT_EXPIRES_MINUTES }));
  return {
    pin: matching.some(({ by }) => by === 'pin'),
    waits: waits.toSorted((a, b) => a.expires_minutes - b.expires_minutes)[0],
  };
}

/** Without case, because a server may forgive another spelling. */
function matches(rule: string, name: string): boolean {
  const [pattern, tool] = [rule.toLowerCase(), name.toLowerCase()];
  return pattern.endsWith('*') ? tool.startsWith(pattern.slice(0, -1)) : tool === pattern;
}
