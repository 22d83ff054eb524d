import type { Recipe } from '@agent-control-plane/sdk';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRead } from '../queries.ts';
import { agentPath } from '../rules/names.ts';
import { visible } from '../rules/visible-text.ts';
import { Answered } from '../ui/answered.tsx';
import { Page } from '../ui/page.tsx';
import { Signed } from '../ui/status.tsx';
import { Tab, TabPanel, Tabs } from '../ui/tabs.tsx';
import style from './recipe-frame.module.css';

/** The recipe of the address; while another one is read, none. */
export function useRecipe() {
  const { recipe_id } = useParams({ strict: false });
  const read = useRead('get_recipe', { path: { template_id: recipe_id ?? '' } });
  return { ...read, data: read.data?.id === recipe_id ? read.data : undefined };
}

interface FrameProps {
  recipe: Recipe;
  actions?: ReactNode;
  children: ReactNode;
}

/** The heading and the tabs that all pages of a recipe have. */
export function RecipeFrame({ recipe, actions, children }: FrameProps) {
  const params = { recipe_id: recipe.id };
  const agents = useRead('list_instances', { query: { recipe_id: recipe.id, live: true, per_page: 1 } });
  return (
    <Page
      title={
        <>
          {visible(recipe.name)} <span className={style.revision}>r{recipe.revision}</span>
        </>
      }
      name={visible(recipe.name)}
      crumb={
        <>
          <Link to="/recipes">Recipes</Link> /
        </>
      }
      sub={<About recipe={recipe} />}
      actions={actions}
    >
      <Tabs label="Recipe">
        <Tab to="/recipes/$recipe_id/edit" params={params}>
          {recipe.is_platform_template ? 'Contents' : 'Edit'}
        </Tab>
        <Tab to="/recipes/$recipe_id/revisions" params={params} n={recipe.revision}>
          Revisions
        </Tab>
        <Tab to="/recipes/$recipe_id/agents" params={params} n={agents.data?.total}>
          Agents
        </Tab>
        <Tab to="/recipes/$recipe_id/rollouts" params={params}>
          Rollouts
        </Tab>
        <Tab to="/recipes/$recipe_id/try" params={params}>
          Try
        </Tab>
      </Tabs>
      <TabPanel>{children}</TabPanel>
    </Page>
  );
}

const About = ({ recipe: { is_platform_template, is_active, source_instance_id } }: { recipe: Recipe }) => (
  <>
    {is_platform_template && <span>A template of the platform, the same for everyone</span>}
    {!is_active && <Signed sign={{ word: 'not deployed any more', shape: 'square', tone: 'off' }} />}
    {source_instance_id !== null && (
      <span>
        Saved from{' '}
        <Link to={agentPath(source_instance_id)} className="link">
          an agent
        </Link>
      </span>
    )}
  </>
);

/** A page of the recipe in the address. */
export function RecipePage({ children }: { children: (recipe: Recipe) => ReactNode }) {
  const recipe = useRecipe();
  if (recipe.data) return children(recipe.data);
  return (
    <Page title="Recipe" crumb={<Link to="/recipes">Recipes</Link>}>
      <Answered of={recipe}>{() => null}</Answered>
    </Page>
  );
}
