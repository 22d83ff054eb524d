import type { Result } from '@agent-control-plane/sdk';

type Listed = Result<'list_recipes'>[number];
type Recipe = Result<'get_recipe'>;

/** A template of the platform, to begin with. */
export interface Template {
  id: string;
  name: string;
  about: string;
  /** Begins the agent's hostname. */
  slug: string;
  /** The thing that has to be filled in before it can do anything; undefined where it works at once. */
  wants?: string | undefined;
}

/** Hosts of examples, which nobody owns. */
const EXAMPLE = 'example.com';

function wantOf({ data_access, mcp_servers, trigger_templates }: Recipe): string | undefined {
  const folders = data_access?.folder_ids;
  if (Array.isArray(folders) && folders.length === 0) return 'wants a folder';
  if (JSON.stringify(mcp_servers).includes(EXAMPLE)) return 'wants a server';
  return trigger_templates.length > 0 ? 'wants an address' : undefined;
}

/** `Crew desk` in `My company` is `crew.my-company.example`. */
export function hostnameOf(slug: string, company: string): string {
  const label = company
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40);
  return `${slug}.${label || 'my-company'}.example`;
}

/** A summary says nothing of what a recipe needs. */
const isTemplate = (listed: Listed): listed is Recipe =>
  listed.is_platform_template && 'mcp_servers' in listed;

/** Templates that work at once come first. */
export function templatesOf(recipes: readonly Listed[]): Template[] {
  const templates = recipes.filter(isTemplate).map((recipe) => ({
    id: recipe.id,
    name: recipe.name,
    about: (recipe.description ?? '').split('. ', 1)[0]?.replace(/\.$/, '') ?? '',
    slug:
      recipe.name
        .toLowerCase()
        .split(' ', 1)[0]
        ?.replaceAll(/[^a-z0-9-]/g, '') || 'agent',
    wants: wantOf(recipe),
  }));
  const rank = ({ name, wants }: Template) => (name === 'Crew desk' ? 0 : wants === undefined ? 1 : 2);
  return templates.toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
}

export const THREE_PEOPLE = [
  { name: 'Ana Silva', role: 'employee', skills: ['forklift', 'first aid'] },
  { name: 'Ben Okafor', role: 'contractor', skills: ['forklift'] },
  { name: 'Chen Li', role: 'employee', skills: ['crane'] },
];

/** Sentences that a crew desk without a model understands. */
export const SUGGESTIONS = ['who can forklift', 'who can crane', 'help', 'talk to a human'];
