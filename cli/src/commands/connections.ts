import type { Connection } from '@agent-control-plane/sdk';
import type { Cli } from '../cli.ts';
import { readObject } from '../documents.ts';
import { findCustomerId } from '../finding.ts';
import { showList } from '../lists.ts';
import { allOption, fileOption, idArgument, pageOption, perPageOption } from '../options.ts';
import type { Program } from '../program.ts';
import type { Column } from '../table.ts';
import { moment } from '../text.ts';

const COLUMNS: readonly Column<Connection>[] = [
  ['ID', ({ id }) => id],
  ['PROVIDER', ({ provider }) => provider, 'flexible'],
  ['NAME', ({ name }) => name, 'flexible'],
  ['STATE', ({ status }) => status],
  ['EXPIRES', ({ expires_at }) => moment(expires_at)],
  ['CREATED', ({ created_at }) => moment(created_at)],
  ['LAST ERROR', ({ last_error }) => last_error, 'flexible'],
];

export function addConnections(program: Program, cli: Cli): void {
  const connections = program.command('connections').description('customers’ credentials for other services');
  const { output } = cli;

  connections
    .command('list')
    .description('list the connections of a customer, newest first')
    .argument('<customer>', 'id, e-mail address or company name')
    .option('--search <text>', 'part of the provider or name')
    .addOption(pageOption())
    .addOption(perPageOption())
    .addOption(allOption())
    .action(async (customer, { search, ...flags }) => {
      const acp = await cli.tenant();
      const path = { customer_id: await findCustomerId(acp, customer) };
      const query = search ? { search } : {};
      await showList(cli, acp, 'list_connections', { path, query }, COLUMNS, flags);
    });

  connections
    .command('create')
    .description('add a connection; its credentials are encrypted and never shown')
    .argument('<customer>', 'id, e-mail address or company name')
    .requiredOption('--provider <provider>', 'the provider in a recipe’s connection_requirements')
    .option('--name <name>', 'tells several of one provider apart')
    .option('--expires-at <time>', 'e.g. 2027-01-31T00:00:00Z')
    .addOption(fileOption('the credentials'))
    .action(async (customer, { provider, name, expiresAt, file }) => {
      const credentials = await readObject(cli.terminal, file);
      const acp = await cli.tenant();
      const made = await acp.connections.create(await findCustomerId(acp, customer), {
        provider,
        credentials,
        ...(name !== undefined && { name }),
        ...(expiresAt !== undefined && { expires_at: expiresAt }),
      });
      output.answer(made, () => output.line(`${made.provider} is connected: ${made.id}`));
    });

  connections
    .command('delete')
    .alias('revoke')
    .description('revoke a connection and delete its credentials')
    .argument('<customer>', 'id, e-mail address or company name')
    .addArgument(idArgument('<connection-id>', 'the id'))
    .action(async (customer, id) => {
      const acp = await cli.tenant();
      await acp.connections.delete(await findCustomerId(acp, customer), id);
      output.note(`revoked connection ${id}`);
    });
}
