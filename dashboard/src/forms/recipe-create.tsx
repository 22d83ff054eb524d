import { create_recipe } from '@agent-control-plane/fields';
import type { RecipeCreate as Body } from '@agent-control-plane/sdk';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead, useWrite } from '../queries.ts';
import { contentOf } from '../rules/recipe-content.ts';
import { visible } from '../rules/visible-text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogFoot } from '../ui/dialog.tsx';
import { type Choice, SelectField, TextField } from '../ui/field.tsx';
import { Form, textOf } from '../ui/form.tsx';

interface RecipeCreateProps {
  /** The recipe whose copy is chosen at first. */
  from: string | undefined;
  onClose: () => void;
}

const NOTHING: Choice = ['', 'Nothing'];

/** A new recipe, empty or as a copy. */
export function RecipeCreate({ from, onClose }: RecipeCreateProps) {
  const [source, setSource] = useState(from ?? '');
  const navigate = useNavigate();
  const all = useRead('list_recipes', { query: { view: 'summary' } });
  const copied = useRead('get_recipe', { path: { template_id: source } }, { enabled: source !== '' });
  const create = useWrite('create_recipe');
  const original = source !== '' && copied.data?.id === source ? copied.data : undefined;
  // A text that comes later would mix with what is being typed.
  const suggested = original && `${original.name} of ours`;
  const isWaiting = source !== '' && !original;
  const save = async (values: FormData) => {
    const { is_active: _, ...content } = original ? contentOf(original) : {};
    const body: Body = { ...content, name: textOf(values, 'name') || (suggested ?? '') };
    const { id } = await create.run({ body });
    await navigate({ to: '/recipes/$recipe_id/edit', params: { recipe_id: id } });
  };
  return (
    <Dialog title={from === undefined ? 'New recipe' : 'Clone a recipe'} onClose={onClose}>
      <Form onSave={save} label="New recipe">
        {(pending) => (
          <>
            <SelectField
              name="source"
              label="Begin with"
              value={source}
              onChange={({ target }) => setSource(target.value)}
              choices={[NOTHING, ...(all.data ?? []).map(({ id, name }): Choice => [id, visible(name)])]}
            />
            <TextField
              name="name"
              label="Name"
              hint="How you tell it from others; it can be changed later"
              placeholder={suggested}
              maxLength={create_recipe.name.maxLength}
              required={suggested === undefined}
              autoFocus
            />
            <DialogFoot>
              <Button onClick={onClose}>Cancel</Button>
              <Button type="submit" look="primary" pending={pending || isWaiting}>
                Create
              </Button>
            </DialogFoot>
          </>
        )}
      </Form>
    </Dialog>
  );
}
