import Type from 'typebox';
import { about, Nullable } from '../platform/contract/shapes.ts';

/** Beside a `recipe_id`. */
export const RecipeName = about(Nullable(Type.String()), 'What the recipe is called now');
