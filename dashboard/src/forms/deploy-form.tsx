import { deploy_recipe as facts } from '@agent-control-plane/fields';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { boundsOf } from '../rules/bounds.ts';
import type { JsonObject } from '../rules/recipe-patch.ts';
import { visible } from '../rules/visible-text.ts';
import { plural } from '../rules/words.ts';
import { type Choice, Pair, SelectField, TextField } from '../ui/field.tsx';
import { DeployCustomer } from './deploy-customer.tsx';
import style from './deploy-form.module.css';
import type { DeployDraft } from './deploy-inputs.ts';
import { DeploySettings } from './deploy-settings.tsx';

interface DeployFormProps {
  draft: DeployDraft;
  /** The configuration that the agent would have, once it is known. */
  config: JsonObject | undefined;
}

/** Four decisions; most of them are made already. */
export const DeployForm = ({ draft, config }: DeployFormProps) => (
  <ol className={style.sections}>
    <Part n={1} title="Recipe" hint="What it is told, and what it may do">
      <Recipe draft={draft} />
    </Part>
    <Part n={2} title="Customer" hint="Whose people it answers, and whose data it sees">
      <DeployCustomer draft={draft} />
    </Part>
    <Part n={3} title="Where, and its name" hint="The name is yours to choose; nobody dials it">
      <Place draft={draft} />
    </Part>
    <Part n={4} title="Settings" hint="What is different for this agent">
      <DeploySettings draft={draft} config={config} />
    </Part>
  </ol>
);

interface PartProps {
  n: number;
  title: string;
  hint: string;
  children: ReactNode;
}

const Part = ({ n, title, hint, children }: PartProps) => (
  <li>
    <span className={style.n} aria-hidden="true">
      {n}
    </span>
    <div className={style.part}>
      <header>
        <h2>{title}</h2>
        <p className="hint">{hint}</p>
      </header>
      {children}
    </div>
  </li>
);

function Recipe({ draft: { recipes, inputs, choose } }: { draft: DeployDraft }) {
  const chosen = recipes.find(({ id }) => id === inputs.recipe_id);
  const choices = recipes
    .filter(({ is_active, id }) => is_active || id === inputs.recipe_id)
    .map(
      ({ id, name, revision, is_platform_template }): Choice => [
        id,
        `${visible(name)} r${revision}${is_platform_template ? ', of the platform' : ''}`,
      ],
    );
  return (
    <>
      <SelectField
        name="recipe_id"
        label="Recipe and revision"
        value={inputs.recipe_id}
        onChange={({ target: { value } }) => choose({ recipe: value || undefined })}
        choices={[['', 'Choose one'], ...choices]}
        hint={chosen?.description ? visible(chosen.description) : undefined}
        required
      />
      {chosen && (
        <p className="hint">
          {'live_instances' in chosen && `${plural(chosen.live_instances, 'agent')} by it so far. `}
          <Link to="/recipes/$recipe_id/edit" params={{ recipe_id: chosen.id }} className="link">
            Open the recipe
          </Link>
        </p>
      )}
    </>
  );
}

function Place({ draft: { inputs, suggested, tiers, regions, type } }: { draft: DeployDraft }) {
  return (
    <>
      <TextField
        name="hostname"
        label="Name"
        mono
        {...boundsOf(facts.hostname)}
        placeholder={suggested || 'crew.example.com'}
        value={inputs.hostname}
        onChange={({ target: { value } }) => type({ hostname: value })}
        hint="As crew.example.com. It stands in lists, and where people of yours look for it."
      />
      <Pair>
        <SelectField
          name="tier_id"
          label="Size"
          value={inputs.tier_id}
          onChange={({ target: { value } }) => type({ tier_id: value })}
          choices={tiers.map(
            ({ id, name, memory_mib }): Choice => [
              id,
              `${visible(name)}${memory_mib === null ? '' : `, ${memory_mib} MiB`}`,
            ],
          )}
          hint={tiers.length === 0 ? 'The operator offers none yet.' : undefined}
        />
        <SelectField
          name="region_id"
          label="Place"
          value={inputs.region_id}
          onChange={({ target: { value } }) => type({ region_id: value })}
          choices={regions.map(({ id, name }): Choice => [id, visible(name)])}
          hint={regions.length === 0 ? 'The operator offers none yet.' : undefined}
        />
      </Pair>
    </>
  );
}
