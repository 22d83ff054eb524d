import { channelExamples } from './channels.ts';
import { credentialExamples } from './credentials.ts';
import { idExamples } from './ids.ts';
import { instanceExamples } from './instances.ts';
import { peopleExamples } from './people.ts';
import { recipeExamples } from './recipes.ts';
import { timeExamples } from './times.ts';

/**
 * Example values by field name, so one line serves every operation. The most specific key counts: `<operation>.<field>`, `<object>.<field>` (the field that the object stands in; `query` of a
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
