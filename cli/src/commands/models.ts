import type { Model, ModelEntry, ModelsPut } from '@agent-control-plane/sdk';
import { Option } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { type Document, readDocument } from '../documents.ts';
import { usageError } from '../errors.ts';
import { fileOption } from '../options.ts';
import type { Program } from '../program.ts';
import type { Column } from '../table.ts';

const COLUMNS: readonly Column<Model>[] = [
  ['MODEL', ({ model_id }) => model_id],
  ['NAME', ({ display_name }) => display_name, 'flexible'],
  ['PROVIDER', ({ provider }) => provider],
  ['MODALITY', ({ modality }) => modality],
  ['CONTEXT', ({ context_window }) => context_window],
  ['IN $/M', ({ cost_input_per_mtok }) => cost_input_per_mtok],
  ['OUT $/M', ({ cost_output_per_mtok }) => cost_output_per_mtok],
];

/** The compiler checks them against the API. */
const FIELDS = {
  model_id: true,
  slug: true,
  display_name: true,
  provider: true,
  modality: true,
  api_format: true,
  capabilities: true,
  context_window: true,
  max_output_tokens: true,
  typical_tps: true,
  speed_tier: true,
  cost_input_per_mtok: true,
  cost_cached_input_per_mtok: true,
  cost_output_per_mtok: true,
  cost_audio_per_minute: true,
  is_active: true,
  is_deprecated: true,
  source: true,
  observed_on: true,
} satisfies Record<keyof ModelEntry, true>;

/** Throws CliError for unknown fields, which the API would ignore. */
function entriesOf({ where, value }: Document): ModelsPut {
  const { models = value } = Object(value) as { models?: unknown };
  for (const [at, model] of (Array.isArray(models) ? models : []).entries()) {
    const unknown = Object.keys(Object(model)).filter((field) => !Object.hasOwn(FIELDS, field));
    if (unknown.length > 0)
      throw usageError(
        `${where}: model ${at + 1} has an unknown field ${unknown.join(', ')}`,
        `fields: ${Object.keys(FIELDS).join(', ')}`,
      );
  }
  return value as ModelsPut;
}

export function addModels(program: Program, cli: Cli): void {
  const models = program.command('models').description('the model catalogue');
  const { output } = cli;

  models
    .command('list')
    .description('list the active models')
    .option('--search <text>', 'part of the id, name or provider')
    .addOption(new Option('--modality <modality>'))
    .action(async ({ search, modality }) => {
      const query = { ...(search && { search }), ...(modality !== undefined && { modality }) };
      const found = await (await cli.anyone()).models.list(query);
      output.answer(found, () => output.table(COLUMNS, found));
    });

  models
    .command('import')
    .description('create or change entries of the catalogue from a file (needs the operations token)')
    .addOption(fileOption('a list of models, or an object with "models"'))
    .action(async ({ file }) => {
      const models = entriesOf(await readDocument(cli.terminal, file));
      const imported = await (await cli.operator()).models.put(models);
      output.answer(imported, () => output.line(`${imported.upserted} models created or changed`));
    });
}
