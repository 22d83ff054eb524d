import type { PrimitiveKind } from '../../catalogue/primitives.contract.ts';

export type ViolationCode = 'not_approved' | 'unknown_field' | 'invalid_value' | 'pin_not_set';

/** A warning about a configuration; it never blocks. */
export interface Violation {
  code: ViolationCode;
  /** A JSON pointer into the resolved configuration or the overrides. */
  path: string;
  kind: PrimitiveKind | null;
  slug: string | null;
  message: string;
}

const KIND_WORDS: Readonly<Record<PrimitiveKind, string>> = {
  skill: 'skill',
  channel: 'channel',
  integration: 'integration',
  mcp_server: 'MCP server',
  workflow: 'workflow',
  model: 'model',
  sidecar_runtime: 'sidecar runtime',
};

export function unknownField(path: string, key: string): Violation {
  const message = `"${key}" is not a configuration field; the override was not applied`;
  return { code: 'unknown_field', path, kind: null, slug: null, message };
}

/** An override that does not fit its field. `expected` in words: "an array". */
export function invalidOverride(path: string, field: string, expected: string): Violation {
  const message = `${path} must be ${expected}; the override of ${field} was not applied`;
  return { code: 'invalid_value', path, kind: null, slug: null, message };
}

export function notApproved(path: string, kind: PrimitiveKind, slug: string): Violation {
  const message = `${KIND_WORDS[kind]} "${slug}" is not among the tenant's approved primitives`;
  return { code: 'not_approved', path, kind, slug, message };
}

export function withoutSlug(path: string, kind: PrimitiveKind): Violation {
  const message = `${path} does not say which ${KIND_WORDS[kind]} it is; give a string or an object with a slug`;
  return { code: 'invalid_value', path, kind, slug: null, message };
}

export function pinNotSet(path: string): Violation {
  const message = 'The customer has no PIN: protected skills answer nobody until one is set';
  return { code: 'pin_not_set', path, kind: null, slug: null, message };
}
