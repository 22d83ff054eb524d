import { memberOf, slugsOf, toggled, withMember } from '../rules/slugs.ts';
import { ChipSet } from '../ui/chips.tsx';
import { FormGroup } from '../ui/form-row.tsx';
import type { Draft } from './recipe-draft.ts';
import style from './recipe-form.module.css';
import { useOffered } from './recipe-rows.tsx';

/** Skills of the agent, and those for which a PIN is asked first. */
export function RecipeSkills({ draft }: { draft: Draft }) {
  const offered = useOffered(draft, 'skill');
  const skills = draft.at('skills');
  const chosen = slugsOf(skills);
  const withPin = chosen.filter((slug) => memberOf(skills, slug, 'pin_required') === true);
  const togglePin = (slug: string) =>
    draft.set(
      ['skills'],
      withMember(skills, slug, 'pin_required', withPin.includes(slug) ? undefined : true),
    );
  return (
    <FormGroup
      name="skills"
      label="Skills"
      hint="What it can do by itself"
      changed={draft.isChanged('skills')}
    >
      <ChipSet
        label="Skills"
        of={[...new Set([...offered, ...chosen])].map((slug) => [slug, slug] as const)}
        chosen={chosen}
        onToggle={(slug) => draft.set(['skills'], toggled(skills, slug))}
      />
      {chosen.length > 0 && (
        <div className={style.line}>
          <span className="hint">Asks for a PIN first:</span>
          <ChipSet
            label="Asks for a PIN first"
            of={chosen.map((slug) => [slug, slug] as const)}
            chosen={withPin}
            onToggle={togglePin}
          />
        </div>
      )}
    </FormGroup>
  );
}
