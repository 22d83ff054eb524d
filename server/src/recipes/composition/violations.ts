import type { PrimitiveKind } from '../../catalogue/primitives.contract.ts';

type ViolationCode =
  | 'not_approved'
  | 'unknown_field'
  | 'invalid_value'
  | 'pin_not_set'
  | 'unsupported'
  | 'hostname_in_use';

/** A warning; it never blocks. */
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

interface Unsupported {
  /** Completes the message. */
  explanation?: string;
  kind?: PrimitiveKind;
  slug?: string;
}

export function unknownField(path: string, key: string): Violation {
  const message = `"${key}" is not a configuration field; the override was not applied`;
  return { code: 'unknown_field', path, kind: null, slug: null, message };
}

/** `expected`: "an array". */
export function invalidOverride(path: string, field: string, expected: string): Violation {
  const message = `${path} must be ${expected}; the override of ${field} was not applied`;
  return { code: 'invalid_value', path, kind: null, slug: null, message };
}

/** `expected`: "a number from 0 to 30". */
export function invalidValue(path: string, expected: string): Violation {
  return { code: 'invalid_value', path, kind: null, slug: null, message: `${path} must be ${expected}` };
}

/** @param near an approved slug that was probably meant */
export function notApproved(path: string, kind: PrimitiveKind, slug: string, near?: string): Violation {
  const hint = near === undefined ? '' : `; did you mean "${near}"?`;
  const message = `${KIND_WORDS[kind]} "${slug}" is not among the tenant's approved primitives${hint}`;
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

export function hostnameInUse(hostname: string): Violation {
  const message = `Another instance has the hostname ${hostname}: only their ids tell the two apart`;
  return { code: 'hostname_in_use', path: '/hostname', kind: null, slug: null, message };
}

/** A warning only: the default provider may know the model. */
export function unknownModel(path: string, model: string): Violation {
  const message = `Nothing is known of the model "${model}": it is neither in the catalogue nor LLM_MODEL, and no provider of the tenant has its prefix`;
  return { code: 'unsupported', path, kind: 'model', slug: model, message };
}

export function unsupported(path: string, reason: Unsupported | undefined): Violation {
  const { explanation = 'neither the control plane nor the runtime knows it', kind, slug } = reason ?? {};
  const message = `Nothing acts on ${path}: ${explanation}`;
  return { code: 'unsupported', path, kind: kind ?? null, slug: slug ?? null, message };
}
