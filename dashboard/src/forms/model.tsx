import type { Model, ModelEntry } from '@agent-control-plane/sdk';
import { useOperatorWrite } from '../operator.ts';
import { visible } from '../rules/visible-text.ts';
import { Check, Pair, TextField } from '../ui/field.tsx';
import { textOf, textOrNull } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { say } from '../ui/toast.tsx';

const PRICES = [
  ['cost_input_per_mtok', 'Input'],
  ['cost_cached_input_per_mtok', 'Cached input'],
  ['cost_output_per_mtok', 'Output'],
  ['cost_audio_per_minute', 'A minute of a recording'],
] as const;

const SIZES = [
  ['context_window', 'Context, in tokens'],
  ['max_output_tokens', 'Longest output, in tokens'],
] as const;

const numberOrNull = (text: string | null) => (text === null ? null : Number(text));

function entryOf(values: FormData, model_id: string): ModelEntry {
  return {
    model_id,
    display_name: textOf(values, 'display_name'),
    provider: textOrNull(values, 'provider'),
    source: textOrNull(values, 'source'),
    is_active: values.has('is_active'),
    is_deprecated: values.has('is_deprecated'),
    ...Object.fromEntries(PRICES.map(([name]) => [name, textOrNull(values, name)])),
    ...Object.fromEntries(SIZES.map(([name]) => [name, numberOrNull(textOrNull(values, name))])),
  };
}

/** The facts by which calls are priced and plans checked. */
export function ModelForm({ of, onClose }: { of: Model | undefined; onClose: () => void }) {
  const put = useOperatorWrite('put_models');
  const save = async (values: FormData) => {
    await put.run({ body: { models: [entryOf(values, of?.model_id ?? textOf(values, 'model_id'))] } });
    say('The model is saved.');
    onClose();
  };
  return (
    <FormDialog
      title={of ? `Change ${visible(of.display_name)}` : 'New model'}
      action="Save the model"
      onSave={save}
      onClose={onClose}
      wide
    >
      {!of && (
        <TextField name="model_id" label="Id" hint="As its provider and recipes name it" mono required />
      )}
      <Pair>
        <TextField name="display_name" label="Name" defaultValue={of?.display_name} required />
        <TextField
          name="provider"
          label="Provider"
          placeholder="default"
          hint="Short name of a model provider"
          mono
          defaultValue={of?.provider ?? ''}
        />
        <Figures of={of} />
      </Pair>
      <TextField name="source" label="Where the facts come from" placeholder="An address" optional />
      <Check name="is_active" defaultChecked={of?.is_active ?? true}>
        Offered for new work
      </Check>
      <Check name="is_deprecated" defaultChecked={of?.is_deprecated ?? false}>
        Its provider will withdraw it
      </Check>
    </FormDialog>
  );
}

const Figures = ({ of }: { of: Model | undefined }) => (
  <>
    {PRICES.map(([name, label]) => (
      <TextField
        key={name}
        name={name}
        label={label}
        type="number"
        min={0}
        step="any"
        placeholder="Unknown"
        hint={name === 'cost_audio_per_minute' ? 'US dollars' : 'US dollars per million tokens'}
        defaultValue={of?.[name] ?? ''}
      />
    ))}
    {SIZES.map(([name, label]) => (
      <TextField key={name} name={name} label={label} type="number" min={1} defaultValue={of?.[name] ?? ''} />
    ))}
  </>
);
