import type { Cli } from '../cli.ts';
import { showList } from '../lists.ts';
import { allOption, pageOption, perPageOption } from '../options.ts';
import type { Program } from '../program.ts';

export function addRegions(program: Program, cli: Cli): void {
  program
    .command('regions')
    .description('the regions for instances')
    .command('list')
    .description('list regions')
    .addOption(pageOption())
    .addOption(perPageOption())
    .addOption(allOption())
    .action(async (flags) =>
      showList(
        cli,
        await cli.tenant(),
        'list_regions',
        {},
        [
          ['ID', ({ id }) => id],
          ['NAME', ({ name }) => name, 'flexible'],
          ['STATE', ({ is_active }) => (is_active ? 'open' : 'closed')],
        ],
        flags,
      ),
    );
}
