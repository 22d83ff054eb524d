import { describe, expectTypeOf, it } from 'vitest';
import type {
  Body,
  ControlPlane,
  CustomerPage,
  Instance,
  InstanceEvent,
  Item,
  Query,
  Recipe,
  RecipeCreate,
  RecipeSummary,
  Result,
} from '../src/index.ts';

// `npm run types` checks these assertions.
describe('types', () => {
  it('are those of the operation', () => {
    expectTypeOf<Result<'get_recipe'>['name']>().toEqualTypeOf<string>();
    expectTypeOf<Result<'delete_recipe'>>().toEqualTypeOf<undefined>();
    expectTypeOf<Result<'get_metrics'>>().toEqualTypeOf<string>();
    expectTypeOf<Item<'list_customers'>['email']>().toEqualTypeOf<string | null>();
    expectTypeOf<InstanceEvent['to']>().toEqualTypeOf<Result<'get_instance'>['status']>();
    expectTypeOf<Body<'create_recipe'>>().toExtend<{
      name: string;
      hosting_mode?: 'dedicated' | 'shared' | null;
    }>();
    expectTypeOf<Query<'list_instances'>>().toExtend<{ page?: number }>();
    expectTypeOf<Body<'get_recipe'>>().toEqualTypeOf<never>();
  });

  it('use the names of the API', () => {
    expectTypeOf<Result<'get_recipe'>>().toEqualTypeOf<Recipe>();
    expectTypeOf<Result<'list_recipes'>>().toEqualTypeOf<(Recipe | RecipeSummary)[]>();
    expectTypeOf<Body<'create_recipe'>>().toEqualTypeOf<RecipeCreate>();
    expectTypeOf<Item<'list_customers'>>().toEqualTypeOf<CustomerPage['customers'][number]>();
    expectTypeOf<Query<'list_instances'>['status']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<ReturnType<ControlPlane['instances']['listAll']>>().toEqualTypeOf<
      AsyncGenerator<Instance, void>
    >();
    expectTypeOf<Recipe>().toExtend<Record<string, unknown>>();
  });

  it('mark required and optional fields', () => {
    type Groups = Pick<ControlPlane, 'recipes' | 'staff' | 'instances' | 'deploy'>;
    expectTypeOf<Groups['recipes']['create']>().parameter(0).toExtend<{ name: string }>();
    expectTypeOf<Groups['recipes']['getRevision']>().parameter(1).toEqualTypeOf<number>();
    expectTypeOf<Groups['staff']['list']>().parameter(1).toExtend<{ customer_id: string }>();
    expectTypeOf<[]>().toExtend<Parameters<Groups['instances']['list']>>();
    expectTypeOf<Awaited<ReturnType<Groups['deploy']>>['instance_id']>().toEqualTypeOf<string>();
  });
});
