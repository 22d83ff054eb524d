import type { PrimitiveKind } from '@agent-control-plane/sdk';

/** In words, in the order of a recipe. */
export const KINDS: readonly (readonly [PrimitiveKind, string])[] = [
  ['skill', 'Skill'],
  ['channel', 'Channel'],
  ['integration', 'Connected service'],
  ['mcp_server', 'Tool server'],
  ['workflow', 'Workflow'],
  ['model', 'Model'],
  ['sidecar_runtime', 'Sidecar'],
];

export const kindOf = (text: string | undefined): PrimitiveKind | undefined =>
  KINDS.find(([kind]) => kind === text)?.[0];

export const kindWords = (kind: string): string => KINDS.find(([each]) => each === kind)?.[1] ?? kind;
