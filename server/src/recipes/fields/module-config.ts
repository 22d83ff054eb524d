import Type from 'typebox';
import type { ActingKey } from './acting-key.ts';

/** In each skill's settings, which are stored under the skill's slug. */
export const MODULE_ENABLED: ActingKey = {
  by: 'control_plane',
  shape: Type.Boolean(),
  expected: 'true or false',
};
