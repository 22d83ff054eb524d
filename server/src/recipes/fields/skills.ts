import Type from 'typebox';
import { elementSlug, isSkillOff } from '../../catalogue/slugs.ts';
import { isJsonObject, type JsonObject } from '../../platform/json/json-object.ts';
import type { ActingKeys } from './acting-key.ts';

const flag = Type.Boolean();
const expected = 'true or false';

/** Besides the slug, which the runtime reads. */
export const SKILLS_KEYS: ActingKeys = {
  pin_required: { by: 'control_plane', shape: flag, expected },
  public: { by: 'control_plane', shape: flag, expected },
};

/** Without skills that `module_config` turns off. */
export function skillsOf({ skills, module_config }: JsonObject): unknown[] {
  if (!Array.isArray(skills)) return [];
  return skills.filter((skill) => !isSkillOff(module_config, elementSlug(skill)));
}

/** Slugs of skills that require a PIN. */
export const pinSkillsOf = (config: JsonObject): string[] =>
  skillsOf(config)
    .filter((skill) => isJsonObject(skill) && skill.pin_required === true)
    .flatMap((skill) => elementSlug(skill) ?? []);
