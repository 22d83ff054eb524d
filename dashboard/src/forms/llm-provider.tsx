import { put_tenant_llm_provider as facts } from '@agent-control-plane/fields';
import type { LlmProvider, LlmProviderPut } from '@agent-control-plane/sdk';
import { boundsOf } from '../rules/bounds.ts';
import { visible } from '../rules/visible-text.ts';
import { TextField } from '../ui/field.tsx';
import { textOf } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';

const SLUG = '[a-z0-9][a-z0-9_\\-]{0,62}';
const SLUG_WORDS = 'Small letters, digits, - and _';

interface Props {
  /** The one to change; a new one without. */
  of: LlmProvider | undefined;
  /** About the short name of a new one. */
  slugHint: string;
  save: (slug: string, body: LlmProviderPut) => Promise<unknown>;
  onClose: () => void;
}

/** A tenant's own provider, or one of the operator. */
export function LlmProviderForm({ of, slugHint, save, onClose }: Props) {
  return (
    <FormDialog
      title={of ? `Change ${visible(of.slug)}` : 'New model provider'}
      action="Save and check"
      onSave={(values) =>
        save(of?.slug ?? textOf(values, 'slug'), {
          base_url: textOf(values, 'base_url'),
          api_key: textOf(values, 'api_key'),
        })
      }
      onClose={onClose}
    >
      {!of && (
        <TextField
          name="slug"
          label="Short name"
          hint={slugHint}
          mono
          required
          pattern={SLUG}
          title={SLUG_WORDS}
        />
      )}
      <TextField
        name="base_url"
        label="Address"
        type="url"
        placeholder="https://api.openai.com/v1"
        hint="An endpoint that speaks as OpenAI’s does"
        defaultValue={of?.base_url}
        {...boundsOf(facts.base_url)}
      />
      <TextField
        name="api_key"
        label="Key"
        type="password"
        autoComplete="off"
        hint={
          of
            ? 'The key is never shown again, so it is given with each change. Empty: without one.'
            : 'Encrypted, and never shown again. Empty for an endpoint without one.'
        }
        {...boundsOf({ ...facts.api_key, required: false })}
      />
    </FormDialog>
  );
}
