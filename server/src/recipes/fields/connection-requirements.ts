import Type from 'typebox';
import type { ActingKeys } from './acting-key.ts';

const text = { by: 'control_plane', shape: Type.String(), expected: 'a text' } as const;

/** Besides the key for the provider. */
export const CONNECTION_REQUIREMENTS_KEYS: ActingKeys = {
  name: text,
  optional: { by: 'control_plane', shape: Type.Boolean(), expected: 'true or false' },
};
