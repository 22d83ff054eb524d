import type { Cli } from '../cli.ts';
import { showList } from '../lists.ts';
import { allOption, pageOption, perPageOption } from '../options.ts';
import type { Program } from '../program.ts';

export function addTiers(program: Program, cli: Cli): void {
  program
    .command('tiers')
    .description('the sizes of instances')
    .command('list')
    .description('list tiers')
    .addOption(pageOption())
    .addOption(perPageOption())
    .addOption(allOption())
    .action(async (flags) =>
      showList(
        cli,
        await cli.tenant(),
        'list_tiers',
        {},
        [
          ['ID', ({ id }) => id],
          ['NAME', ({ name }) => name, 'flexible'],
          ['CPU', ({ cpu_millis }) => cpu_millis && `${cpu_millis}m`],
          ['MEMORY', ({ memory_mib }) => memory_mib && `${memory_mib} MiB`],
          ['STATE', ({ is_active }) => (is_active ? 'open' : 'closed')],
          ['DESCRIPTION', ({ description }) => description, 'flexible'],
        ],
        flags,
      ),
    );
}
