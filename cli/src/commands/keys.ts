import type { ApiKey, ApiKeyWithSecret } from '@agent-control-plane/sdk';
import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { showList } from '../lists.ts';
import { allOption, gather, idArgument, pageOption, perPageOption, wholeNumber } from '../options.ts';
import type { Program } from '../program.ts';
import type { Column } from '../table.ts';
import { moment } from '../text.ts';

const COLUMNS: readonly Column<ApiKey>[] = [
  ['ID', ({ id }) => id],
  ['NAME', ({ name }) => name, 'flexible'],
  ['PREFIX', ({ prefix }) => prefix],
  ['ROLE', ({ role }) => role],
  ['SCOPES', ({ scopes }) => scopes.join(' '), 'flexible'],
  ['EXPIRES', ({ expires_at }) => moment(expires_at)],
  ['LAST USED', ({ last_used_at }) => moment(last_used_at)],
];

export function addKeys(program: Program, cli: Cli): void {
  const keys = program.command('keys').description('API keys');
  const { output } = cli;

  /** Prints only the key to standard output. */
  const showKey = (made: ApiKeyWithSecret) => {
    output.note(`key ${made.id} (${made.name}), shown once:`);
    output.answer(made, () => output.line(made.key));
  };

  keys
    .command('list')
    .description('list keys, newest first')
    .addOption(pageOption())
    .addOption(perPageOption())
    .addOption(allOption())
    .action(async (flags) => showList(cli, await cli.tenant(), 'list_api_keys', {}, COLUMNS, flags));

  keys
    .command('create')
    .description('create a key and show it once')
    .requiredOption('--name <name>')
    .requiredOption('--scope <scope>', 'e.g. recipes:read; may be repeated', gather)
    .addOption(new Option('--role <role>').choices(['member', 'admin'] as const).default('member' as const))
    .option('--expires-at <time>', 'e.g. 2027-01-31T00:00:00Z')
    .option('--rate-limit <limit/seconds>', 'e.g. 600/60', readRateLimit)
    .action(async ({ name, scope: scopes, role, expiresAt, rateLimit }) => {
      const limits = {
        ...(rateLimit && { rate_limit: rateLimit }),
        ...(expiresAt !== undefined && { expires_at: expiresAt }),
      };
      showKey(await (await cli.tenant()).apiKeys.create({ name, scopes, role, ...limits }));
    });

  keys
    .command('rotate')
    .description('replace a key and show the new one once')
    .addArgument(idArgument('<key-id>', 'the id'))
    .option('--overlap <seconds>', 'how long the old key stays valid', wholeNumber(0, 30 * 86_400), 600)
    .action(async (id, { overlap }) =>
      showKey(await (await cli.tenant()).apiKeys.rotate(id, { overlap_seconds: overlap })),
    );

  keys
    .command('delete')
    .alias('revoke')
    .description('revoke a key at once')
    .addArgument(idArgument('<key-id>', 'the id'))
    .action(async (id) => {
      await (await cli.tenant()).apiKeys.delete(id);
      output.note(`revoked key ${id}`);
    });
}

function readRateLimit(text: string): { limit: number; window_seconds: number } {
  const [, limit, seconds] = /^(\d{1,9})\/(\d{1,9})$/.exec(text) ?? [];
  if (!limit || !seconds)
    throw new InvalidArgumentError('It must be a number of requests, a slash and seconds.');
  return { limit: Number(limit), window_seconds: Number(seconds) };
}
