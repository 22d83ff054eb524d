import { at, textOf } from '../json.ts';
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
  action: (args) => {
    const skills = skillsOf(args['skills']);
    return skills.length === 0 ? 'look up the staff' : `see who can ${quoted(skills.join(' and '))}`;
  },
  usage: 'who can forklift and first aid',
  parameters: {
    type: 'object',
    properties: { skills: { type: 'array', items: { type: 'string' }, minItems: 1 } },
    required: ['skills'],
    additionalProperties: false,
  },
  skill: 'staff_query',
  forKnownSenders: true,
  run: async ({ controlPlane, message }, args) => {
    const skills = skillsOf(args['skills']);
    if (skills.length === 0) return 'Which skill? For example: who can forklift';
    const page = await controlPlane('GET', '/staff', {
      query: {
        customer_id: message.customer_id,
        skills: skills.join(','),
        status: 'active',
        exclude_lapsed: 'true',
      },
    });
    const staff = rowsOf(at(page, 'staff'));
    const wanted = skills.join(' and ');
    if (staff.length === 0) return `Nobody active can ${wanted}.`;
    const total = at(page, 'total');
    return listing(
      `Who can ${wanted}:`,
      staff,
      (person) => joined(person['name'], person['role'], person['availability_notes']),
      typeof total === 'number' ? total : staff.length,
    );
  },
};
