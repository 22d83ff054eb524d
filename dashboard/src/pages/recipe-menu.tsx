import type { Recipe } from '@agent-control-plane/sdk';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead, useWrite } from '../queries.ts';
import { DEPLOY_PATH, deployOf } from '../rules/names.ts';
import { visible } from '../rules/visible-text.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { say } from '../ui/toast.tsx';

/** Deploy, and what is done less often. One button of a page is primary: on some it is another. */
export function RecipeActions({ recipe, primary = true }: { recipe: Recipe; primary?: boolean }) {
  const { data: me } = useRead('get_me', {});
  return (
    <>
      <RecipeMenu recipe={recipe} />
      {recipe.is_platform_template && (
        <ButtonLink to="/recipes" search={{ begin: 'new', from: recipe.id }}>
          Clone to change it
        </ButtonLink>
      )}
      {recipe.is_active && me?.role === 'admin' && (
        <ButtonLink look={primary ? 'primary' : undefined} to={DEPLOY_PATH} search={deployOf(recipe.id)}>
          Deploy
        </ButtonLink>
      )}
    </>
  );
}

function RecipeMenu({ recipe }: { recipe: Recipe }) {
  const [isDeleting, setDeleting] = useState(false);
  const navigate = useNavigate();
  const remove = useWrite('delete_recipe', { done: () => navigate({ to: '/recipes', ignoreBlocker: true }) });
  if (recipe.is_platform_template) return null;
  const name = visible(recipe.name);
  return (
    <>
      <Menu label={`More about ${name}`} small={false}>
        <MenuItem
          onSelect={() => void navigate({ to: '/recipes', search: { begin: 'new', from: recipe.id } })}
        >
          Clone
        </MenuItem>
        <MenuItem bad onSelect={() => setDeleting(true)}>
          Delete…
        </MenuItem>
      </Menu>
      {isDeleting && (
        <Confirm
          title={`Delete ${name}?`}
          action="Delete"
          onClose={() => setDeleting(false)}
          run={async () => {
            await remove.run({ path: { template_id: recipe.id } });
            say(`${name} is deleted`);
          }}
        >
          It is listed and deployed no more, and cannot be brought back. Its agents go on as they are.
        </Confirm>
      )}
    </>
  );
}
