import { at, textOf } from '../json.ts';
import { languageOf } from '../language.ts';
import { joined, listing, quoted } from './lines.ts';
import { rowsOf, type Tool } from './tool.ts';

function skillsOf(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((skill: unknown) => textOf(skill)?.trim() ?? []).filter((skill) => skill !== '');
}

export const whoCan: Tool = {
  name: 'who_can',
  description:
    'Finds the active staff who have all of the given skills, without those whose certification of one has expired.',
  action: (args, { message }) => {
    const { say } = languageOf(message);
    const skills = skillsOf(args['skills']);
    if (skills.length === 0) return say('to_see_staff');
    return say('to_see_who_can', { skills: quoted(skills.join(` ${say('and')} `)) });
  },
  parameters: {
    type: 'object',
    properties: { skills: { type: 'array', items: { type: 'string' }, minItems: 1 } },
    required: ['skills'],
    additionalProperties: false,
  },
  skill: 'staff_query',
  forKnownSenders: true,
  run: async ({ controlPlane, message }, args) => {
    const language = languageOf(message);
    const { say } = language;
    const skills = skillsOf(args['skills']);
    if (skills.length === 0) return say('which_skill');
    const page = await controlPlane('GET', '/staff', {
      query: {
        customer_id: message.customer_id,
        skills: skills.join(','),
        status: 'active',
        exclude_lapsed: 'true',
      },
    });
    const staff = rowsOf(at(page, 'staff'));
    const wanted = { skills: skills.join(` ${say('and')} `) };
    if (staff.length === 0) return say('nobody_can', wanted);
    const total = at(page, 'total');
    return listing(
      say('who_can', wanted),
      staff,
      (person) => joined(person['name'], person['role'], person['availability_notes']),
      language,
      typeof total === 'number' ? total : staff.length,
    );
  },
};
