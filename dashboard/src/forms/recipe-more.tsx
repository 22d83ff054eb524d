import { Link } from '@tanstack/react-router';
import { wordsOf } from '../rules/plan-lines.ts';
import { fieldWords } from '../rules/recipe-content.ts';
import { listed } from '../rules/words.ts';
import { Check } from '../ui/field.tsx';
import { FormGroup } from '../ui/form-row.tsx';
import type { Draft } from './recipe-draft.ts';
import style from './recipe-form.module.css';
import { Hosting, References } from './recipe-references.tsx';
import { AreaRow, TextRow } from './recipe-rows.tsx';

/** Fields that are folded, and those of them that only the text has. */
const FOLDED = [
  'onboarding_flow_id',
  'rules_template_id',
  'compliance_config',
  'manifest_id',
  'hosting_mode',
  'idle_minutes',
];
const IN_TEXT = [
  'trigger_templates',
  'data_access',
  'voice_config',
  'module_config',
  'workflow_slugs',
  'sidecars',
];

export function RecipeMore({ draft }: { draft: Draft }) {
  const set = [...FOLDED, ...IN_TEXT].filter((name) => draft.at(name) !== undefined);
  const names = (set.length > 0 ? set : [...FOLDED.slice(0, 3), 'trigger_templates']).map((name) =>
    fieldWords(name).toLowerCase(),
  );
  return (
    <details className={style.more} open={set.some((name) => draft.isChanged(name)) || undefined}>
      <summary>
        <span className="link">More</span>{' '}
        <span className="hint">
          {set.length > 0
            ? `${listed(names)} ${set.length === 1 ? 'is' : 'are'} set`
            : `${listed(names)}: nothing set`}
        </span>
      </summary>
      <References draft={draft} />
      <TextRow
        draft={draft}
        path={['compliance_config', 'retention_days']}
        label="Retention"
        hint="Days that messages are kept"
        type="number"
        min={0}
        max={365}
        placeholder="30"
      />
      <AreaRow
        draft={draft}
        path={['compliance_config', 'disclaimer']}
        label="Disclaimer"
        hint="Below its first answer"
        rows={2}
      />
      <Hosting draft={draft} />
      <TextRow
        draft={draft}
        path={['idle_minutes']}
        label="Sleep"
        hint="Minutes without a message; the next one wakes it"
        type="number"
        min={5}
        max={43_200}
        placeholder="never"
      />
      <FormGroup name="is_active" label="Deploys" changed={draft.isChanged('is_active')}>
        <Check
          checked={draft.at('is_active') !== false}
          onChange={({ target }) => draft.set(['is_active'], target.checked ? undefined : false)}
        >
          It can be deployed
        </Check>
      </FormGroup>
      <InText draft={draft} />
    </details>
  );
}

/** Lists and objects that differ from recipe to recipe are written as text. */
const InText = ({ draft }: { draft: Draft }) => (
  <FormGroup name={IN_TEXT[0] ?? ''} label="As text" changed={IN_TEXT.some((name) => draft.isChanged(name))}>
    <ul className={style.texts}>
      {IN_TEXT.map((name) => (
        <li key={name}>
          <span>{fieldWords(name)}</span>
          <span className="hint mono one">{wordsOf(draft.at(name)) || '—'}</span>
        </li>
      ))}
    </ul>
    <p className="hint">
      These are written{' '}
      <Link from="/recipes/$recipe_id/edit" to="." search={{ as: 'yaml' }} replace className="link">
        as YAML
      </Link>
      .
    </p>
  </FormGroup>
);
