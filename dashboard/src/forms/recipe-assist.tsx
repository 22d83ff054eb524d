import { assist_recipe } from '@agent-control-plane/fields';
import { type ReactNode, useState } from 'react';
import { useRead, useWrite } from '../queries.ts';
import { mergeObjects } from '../rules/recipe-patch.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogFoot } from '../ui/dialog.tsx';
import { AreaField } from '../ui/field.tsx';
import { Form, textOf } from '../ui/form.tsx';
import { say } from '../ui/toast.tsx';
import type { Draft } from './recipe-draft.ts';

/** A language model fills the form; only a person saves it. Without one, what is inside is shown. */
export function RecipeAssist({ draft, children }: { draft: Draft; children: ReactNode }) {
  const { data: me } = useRead('get_me', {});
  const assist = useWrite('assist_recipe');
  const [isOpen, setOpen] = useState(false);
  if (!me?.capabilities.language_model) return children;
  const fill = async (values: FormData) => {
    const { connection_requirements, ...made } = await assist.run({
      body: { description: textOf(values, 'description') },
    });
    draft.replace(mergeObjects(draft.content, { ...made, connection_requirements }));
    setOpen(false);
    say('The form is filled. Nothing is saved yet.');
  };
  return (
    <>
      <Button small onClick={() => setOpen(true)}>
        Draft from a description
      </Button>
      {isOpen && (
        <Dialog title="Draft from a description" onClose={() => setOpen(false)}>
          <Form onSave={fill} label="Draft from a description">
            {(pending) => (
              <>
                <AreaField
                  name="description"
                  label="What is the agent to do?"
                  hint={`${me.capabilities.model ?? 'A language model'} fills the form, with approved skills and channels alone. Nothing is saved.`}
                  minLength={assist_recipe.description.minLength}
                  maxLength={assist_recipe.description.maxLength}
                  rows={5}
                  required
                  autoFocus
                />
                <DialogFoot>
                  <Button onClick={() => setOpen(false)}>Cancel</Button>
                  <Button type="submit" pending={pending}>
                    {pending ? 'Drafting…' : 'Fill the form'}
                  </Button>
                </DialogFoot>
              </>
            )}
          </Form>
        </Dialog>
      )}
    </>
  );
}
