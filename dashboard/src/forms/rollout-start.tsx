import type { Recipe, RolloutPlan } from '@agent-control-plane/sdk';
import { useState } from 'react';
import { useRead, useWrite } from '../queries.ts';
import { readBatches } from '../rules/rollout-words.ts';
import { visible } from '../rules/visible-text.ts';
import { plural } from '../rules/words.ts';
import { Answered } from '../ui/answered.tsx';
import { Pair, SelectField, TextField } from '../ui/field.tsx';
import { textOf } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';

interface Props {
  recipe: Recipe;
  onBegun: (rollout_id: string) => void;
  onClose: () => void;
}

const numberOrNull = (values: FormData, name: string) => {
  const text = textOf(values, name);
  return text === '' ? null : Number(text);
};

const wishesOf = (values: FormData) => ({
  batches: readBatches(textOf(values, 'batches')),
  pause_seconds: Number(textOf(values, 'pause_seconds')),
  stop_when: {
    failed_upgrades: numberOrNull(values, 'stop_when.failed_upgrades'),
    refused_messages: numberOrNull(values, 'stop_when.refused_messages'),
    llm_failures: numberOrNull(values, 'stop_when.llm_failures'),
  },
});

/** Which revision, how fast, and what stops it. Below stands what it would do. */
export function RolloutStartForm({ recipe, onBegun, onClose }: Props) {
  const start = useWrite('start_rollout');
  const [revision, setRevision] = useState(recipe.revision);
  const save = async (values: FormData) => {
    const begun = await start.run({
      path: { template_id: recipe.id },
      body: { revision, ...wishesOf(values) },
    });
    if ('status' in begun) onBegun(begun.id);
  };
  return (
    <FormDialog
      title={`Roll out ${visible(recipe.name)}`}
      action="Begin"
      onSave={save}
      onClose={onClose}
      wide
    >
      <SelectField
        name="revision"
        label="Revision"
        value={String(revision)}
        onChange={({ target }) => setRevision(Number(target.value))}
        choices={Array.from({ length: Math.min(recipe.revision, 200) }, (_, at) => {
          const each = recipe.revision - at;
          return [String(each), at === 0 ? `r${each}, the newest` : `r${each}`] as const;
        })}
      />
      <Pair>
        <TextField
          name="batches"
          label="Batches"
          hint="Percent of the agents reached after each"
          defaultValue="5, 25, 100"
          required
        />
        <TextField
          name="pause_seconds"
          label="Pause between them, in seconds"
          type="number"
          min={0}
          max={86_400}
          defaultValue={300}
          required
        />
        <Bound name="failed_upgrades" label="Stop at failed upgrades" defaultValue={1} />
        <Bound name="refused_messages" label="Stop at messages not taken" />
        <Bound name="llm_failures" label="Stop at failed calls of models" />
      </Pair>
      <Preview recipe_id={recipe.id} revision={revision} />
    </FormDialog>
  );
}

const Bound = ({ name, label, defaultValue }: { name: string; label: string; defaultValue?: number }) => (
  <TextField
    name={`stop_when.${name}`}
    label={label}
    type="number"
    min={1}
    defaultValue={defaultValue}
    hint={defaultValue === undefined ? 'Empty: not watched' : undefined}
  />
);

function Preview({ recipe_id: template_id, revision }: { recipe_id: string; revision: number }) {
  const plan = useRead('start_rollout', {
    path: { template_id },
    query: { per_page: 100 },
    body: { revision, dry_run: true },
  });
  return <Answered of={plan}>{(answer) => <p>{'status' in answer ? '' : previewWords(answer)}</p>}</Answered>;
}

function previewWords({ items, total }: RolloutPlan): string {
  if (total === 0) return 'Every agent of this recipe has this revision.';
  const skipped = items.filter(({ status }) => status === 'skipped');
  const begin = `It reaches ${plural(total, 'agent')}.`;
  if (skipped.length === 0) return begin;
  const why = skipped
    .slice(0, 3)
    .map(({ hostname, error }) => `${visible(hostname)}: ${visible(error ?? '')}`);
  return `${begin} Skipped as they are now: ${plural(skipped.length, 'agent')} (${why.join('; ')}).`;
}
