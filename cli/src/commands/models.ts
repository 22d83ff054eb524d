import type { Model, ModelsPut } from '@agent-control-plane/sdk';
import { Option } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { readDocument } from '../documents.ts';
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
      const { value } = await readDocument(cli.terminal, file);
      const imported = await (await cli.operator()).models.put(value as ModelsPut);
      output.answer(imported, () => output.line(`${imported.upserted} models created or changed`));
    });
}
