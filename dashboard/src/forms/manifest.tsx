import { put_manifest as facts } from '@agent-control-plane/fields';
import type { ManifestCapabilities, ManifestPut, OperatorManifest } from '@agent-control-plane/sdk';
import { useState } from 'react';
import { useOperatorWrite } from '../operator.ts';
import { boundsOf } from '../rules/bounds.ts';
import { itemsOf } from '../rules/lists.ts';
import { pairsText, readPairs } from '../rules/name-values.ts';
import { visible } from '../rules/visible-text.ts';
import { sentence } from '../rules/words.ts';
import { ChipSet } from '../ui/chips.tsx';
import { AreaField, Check, TextField } from '../ui/field.tsx';
import { textOf, textOrNull } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { say } from '../ui/toast.tsx';
import style from './manifest.module.css';

type Field = ManifestCapabilities['fields'][number];

const FIELDS: readonly Field[] = [
  'system_prompt',
  'manifest_id',
  'onboarding_flow_id',
  'rules_template_id',
  'approval_rules',
  'channel_config',
  'compliance_config',
  'data_access',
  'model_policy',
  'module_config',
  'voice_config',
  'channel_types',
  'connection_requirements',
  'mcp_servers',
  'skills',
  'trigger_templates',
  'workflow_slugs',
  'sidecars',
];

const linesOf = (text: string) => text.split('\n').filter((line) => line !== '');

function bodyOf(values: FormData, fields: readonly string[]): ManifestPut {
  const command = linesOf(textOf(values, 'command'));
  const sidecars = readPairs(textOf(values, 'sidecar_images')) ?? {};
  return {
    name: textOf(values, 'name'),
    image: textOrNull(values, 'image'),
    command: command.length > 0 ? command : null,
    sidecar_images: Object.keys(sidecars).length > 0 ? sidecars : null,
    internet: values.has('internet'),
    is_active: values.has('is_active'),
    capabilities: {
      fields: FIELDS.filter((field) => fields.includes(field)),
      skills: itemsOf(textOf(values, 'skills')),
      channels: itemsOf(textOf(values, 'channels')),
    },
  };
}

interface Props {
  of: OperatorManifest | undefined;
  onClose: () => void;
}

export function ManifestForm({ of, onClose }: Props) {
  const put = useOperatorWrite('put_manifest');
  const [fields, setFields] = useState<readonly string[]>(of?.capabilities.fields ?? []);
  const toggle = (field: string) =>
    setFields(fields.includes(field) ? fields.filter((each) => each !== field) : [...fields, field]);
  const save = async (values: FormData) => {
    await put.run({
      path: { manifest_id: of?.id ?? textOf(values, 'manifest_id') },
      body: bodyOf(values, fields),
    });
    say('The manifest is saved.');
    onClose();
  };
  return (
    <FormDialog
      title={of ? `Change ${visible(of.name)}` : 'New manifest'}
      action="Save the manifest"
      onSave={save}
      onClose={onClose}
      wide
    >
      {!of && (
        <TextField
          name="manifest_id"
          label="Id"
          hint="As recipes name it; it stays as it is"
          mono
          required
          maxLength={200}
          pattern="[A-Za-z0-9][A-Za-z0-9._\-]*"
        />
      )}
      <TextField name="name" label="Name" defaultValue={of?.name} {...boundsOf(facts.name)} required />
      <Started of={of} />
      <Capabilities of={of} fields={fields} onToggle={toggle} />
      <Check name="internet" defaultChecked={of?.internet ?? false}>
        It reaches public addresses, by a proxy
      </Check>
      <Check name="is_active" defaultChecked={of?.is_active ?? true}>
        Offered for new agents
      </Check>
    </FormDialog>
  );
}

interface CapabilitiesProps {
  of: OperatorManifest | undefined;
  fields: readonly string[];
  onToggle: (field: string) => void;
}

const Capabilities = ({ of, fields, onToggle }: CapabilitiesProps) => (
  <>
    <fieldset className={style.fields}>
      <legend>Fields of a recipe that it acts on</legend>
      <p className="hint">Plans strike out what no runtime acts on.</p>
      <ChipSet
        label="Fields"
        of={FIELDS.map(
          (field) => [field, sentence(field.replace(/_id$/, '')).replace('Mcp', 'MCP')] as const,
        )}
        chosen={fields}
        onToggle={onToggle}
      />
    </fieldset>
    <TextField
      name="skills"
      label="Skills"
      hint="Their short names, with commas between"
      mono
      defaultValue={of?.capabilities.skills.join(', ')}
    />
    <TextField
      name="channels"
      label="Channels"
      hint="That it answers in"
      mono
      defaultValue={of?.capabilities.channels.join(', ')}
    />
  </>
);

/** The program or the container that is the runtime. */
const Started = ({ of }: { of: OperatorManifest | undefined }) => (
  <>
    <AreaField
      name="command"
      label="Program"
      hint="A line for it and for each argument; the engine “process” starts it"
      rows={2}
      mono
      defaultValue={of?.command?.join('\n') ?? ''}
    />
    <TextField
      name="image"
      label="Container image"
      hint="The other engines start it"
      mono
      defaultValue={of?.image ?? ''}
      {...boundsOf(facts.image)}
    />
    <AreaField
      name="sidecar_images"
      label="Images of sidecars"
      hint="A line for each: name = image"
      rows={2}
      mono
      defaultValue={pairsText(of?.sidecar_images ?? null)}
      onChange={({ target }) =>
        target.setCustomValidity(
          readPairs(target.value) ? '' : 'Each line as: browser = registry.example/browser',
        )
      }
    />
  </>
);
