import type { Cli } from '../cli.ts';
import { showList } from '../lists.ts';
import { allOption, pageOption, perPageOption } from '../options.ts';
import type { Program } from '../program.ts';

/** What a deploy chooses between. */
export function addPlaces(program: Program, cli: Cli): void {
  program
    .command('tiers')
    .description('the sizes that an instance can have')
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
          ['STATE', ({ is_active }) => stateOf(is_active)],
          ['DESCRIPTION', ({ description }) => description, 'flexible'],
        ],
        flags,
      ),
    );

  program
    .command('regions')
    .description('where an instance can run')
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
          ['STATE', ({ is_active }) => stateOf(is_active)],
        ],
        flags,
      ),
    );
}

const stateOf = (isActive: boolean) => (isActive ? 'open' : 'closed');
