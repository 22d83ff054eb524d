import { channelExamples } from './channels.ts';
import { credentialExamples } from './credentials.ts';
import { idExamples } from './ids.ts';
import { instanceExamples } from './instances.ts';
import { peopleExamples } from './people.ts';
import { recipeExamples } from './recipes.ts';
import { timeExamples } from './times.ts';

/**
 * What a field holds in the examples of the API's documentation, by the field's name, so that one line serves every
 * operation. The closest key counts: `<operation>.<field>`, `<object>.<field>` (the field that the object stands in; `query` of a
 * parameter), `<tag>.<field>`, `<field>`.
 */
export const exampleValues: Readonly<Record<string, unknown>> = {
  ...idExamples,
  ...timeExamples,
  ...peopleExamples,
  ...recipeExamples,
  ...instanceExamples,
  ...credentialExamples,
  ...channelExamples,
};
