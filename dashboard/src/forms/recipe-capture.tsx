import { save_recipe_from_instance } from '@agent-control-plane/fields';
import type { Instance, StrippedValue } from '@agent-control-plane/sdk';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead, useWrite } from '../queries.ts';
import { visible } from '../rules/visible-text.ts';
import { Answered } from '../ui/answered.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Dialog, DialogFoot } from '../ui/dialog.tsx';
import { AreaField, type Choice, SelectField, TextField } from '../ui/field.tsx';
import { Form, textOf } from '../ui/form.tsx';
import { Empty } from '../ui/notice.tsx';

interface RecipeCaptureProps {
  /** The agent that is chosen at first. */
  instance_id: string | undefined;
  onClose: () => void;
}

/** Makes a recipe of how an agent is configured now, without what looks secret or personal. */
export function RecipeCapture({ instance_id, onClose }: RecipeCaptureProps) {
  const agents = useRead('list_instances', { query: { live: true, per_page: 100 } });
  const capture = useWrite('save_recipe_from_instance');
  const navigate = useNavigate();
  const [saved, setSaved] = useState<{ id: string; stripped: readonly StrippedValue[] }>();
  const save = async (values: FormData) => {
    const description = textOf(values, 'description');
    const made = await capture.run({
      path: { instance_id: textOf(values, 'instance') },
      body: { name: textOf(values, 'name'), ...(description !== '' && { description }) },
    });
    if (made.stripped.length > 0) setSaved(made);
    else await navigate({ to: '/recipes/$recipe_id/edit', params: { recipe_id: made.id } });
  };
  if (saved) return <Stripped {...saved} onClose={onClose} />;
  return (
    <Dialog title="Save from an agent" onClose={onClose}>
      <Answered of={agents}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty command="agentctl deploy">There is no agent to save from yet.</Empty>
          ) : (
            <Form onSave={save} label="Save from an agent">
              {(pending) => (
                <Fields agents={items} chosen={instance_id} pending={pending} onClose={onClose} />
              )}
            </Form>
          )
        }
      </Answered>
    </Dialog>
  );
}

interface FieldsProps {
  agents: readonly Instance[];
  chosen: string | undefined;
  pending: boolean;
  onClose: () => void;
}

const Fields = ({ agents, chosen, pending, onClose }: FieldsProps) => (
  <>
    <SelectField
      name="instance"
      label="Agent"
      defaultValue={chosen}
      choices={agents.map(
        ({ id, hostname, customer_name }): Choice => [
          id,
          customer_name ? `${visible(hostname)}, ${visible(customer_name)}` : visible(hostname),
        ],
      )}
    />
    <TextField
      name="name"
      label="Name"
      hint="Values that look secret or personal are left out, and named afterwards"
      maxLength={save_recipe_from_instance.name.maxLength}
      required
      autoFocus
    />
    <AreaField
      name="description"
      label="Description"
      optional
      maxLength={save_recipe_from_instance.description.maxLength}
    />
    <DialogFoot>
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" look="primary" pending={pending}>
        Save as a recipe
      </Button>
    </DialogFoot>
  </>
);

interface StrippedProps {
  id: string;
  stripped: readonly StrippedValue[];
  onClose: () => void;
}

const Stripped = ({ id, stripped, onClose }: StrippedProps) => (
  <Dialog title="Saved, without these values" onClose={onClose}>
    <p>They look secret or personal. Set them again where the recipe needs them.</p>
    <ul>
      {stripped.map(({ pointer, kind }) => (
        <li key={`${pointer} ${kind}`}>
          <span className="mono">{pointer}</span> <span className="hint">{kind.replaceAll('_', ' ')}</span>
        </li>
      ))}
    </ul>
    <DialogFoot>
      <ButtonLink look="primary" to="/recipes/$recipe_id/edit" params={{ recipe_id: id }}>
        Open the recipe
      </ButtonLink>
    </DialogFoot>
  </Dialog>
);
