import type { Manifest, ManifestPut } from '@agent-control-plane/sdk';
import type { Cli } from '../cli.ts';
import { readObject } from '../documents.ts';
import { showList } from '../lists.ts';
import { allOption, fileOption, idArgument, pageOption, perPageOption } from '../options.ts';
import type { Program } from '../program.ts';
import type { Column } from '../table.ts';

const COLUMNS: readonly Column<Manifest>[] = [
  ['ID', ({ id }) => id],
  ['NAME', ({ name }) => name, 'flexible'],
  ['STATE', ({ is_active }) => (is_active ? 'active' : 'off')],
  ['SKILLS', ({ capabilities: { skills } }) => skills.join(', '), 'flexible'],
  ['CHANNELS', ({ capabilities: { channels } }) => channels.join(', '), 'flexible'],
];

export function addManifests(program: Program, cli: Cli): void {
  const manifests = program.command('manifests').description('kinds of runtimes that recipes may name');
  const { output } = cli;

  manifests
    .command('list')
    .description('list manifests with what their runtimes can do')
    .addOption(pageOption())
    .addOption(perPageOption())
    .addOption(allOption())
    .action(async (flags) => showList(cli, await cli.tenant(), 'list_manifests', {}, COLUMNS, flags));

  manifests
    .command('set')
    .alias('put')
    .description('create or change a manifest from a file (needs the operations token)')
    .addArgument(idArgument('<manifest-id>', 'the id that recipes name'))
    .addOption(fileOption('name, command or image, capabilities'))
    .action(async (id, { file }) => {
      const fields = (await readObject(cli.terminal, file)) as ManifestPut;
      const manifest = await (await cli.operator()).manifests.put(id, fields);
      output.answer(manifest, () => output.line(`${manifest.name} is manifest ${manifest.id}`));
    });
}
