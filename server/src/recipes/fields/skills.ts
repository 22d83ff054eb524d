import Type from 'typebox';
import { elementSlug, isSkillOff } from '../../catalogue/slugs.ts';
import { isJsonObject, type JsonObject } from '../../platform/json/json-object.ts';
import type { ActingKeys } from './acting-key.ts';

const flag = Type.Boolean();
const expected = 'true or false';

/** Beside the slug, which is for the runtime. */
export const SKILLS_KEYS: ActingKeys = {
  pin_required: { by: 'control_plane', shape: flag, expected },
  public: { by: 'control_plane', shape: flag, expected },
};

/** The skills of a configuration without those that `module_config` turns off. */
export function skillsOf({ skills, module_config }: JsonObject): unknown[] {
  if (!Array.isArray(skills)) return [];
  return skills.filter((skill) => !isSkillOff(module_config, elementSlug(skill)));
}

/** The skills that ask for a PIN. */
export const pinSkillsOf = (config: JsonObject): string[] =>
  skillsOf(config)
    .filter((skill) => isJsonObject(skill) && skill.pin_required === true)
    .flatMap((skill) => elementSlug(skill) ?? []);
