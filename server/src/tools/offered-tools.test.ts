import { expect, it } from 'vitest';
import { growthOf, LESS_THAN_QUADRATIC } from '../../test/support/growth.ts';
import { readMcpServers } from '../recipes/fields/mcp-servers.ts';
import { readTools } from './offered-tools.ts';

const namesOf = (kind: string, size: number) =>
  Array.from({ length: size }, (_, index) => `${kind}_${String(index).padStart(8, '0')}`);

it('are read in time that grows with the names of a server and those that are allowed', async () => {
  const growth = await growthOf((size) => {
    const mcp_servers = [{ name: 'crm', url: 'https://crm.example', allowed_tools: namesOf('some', size) }];
    const tools = namesOf('more', size).map((name) => ({ name }));
    return readMcpServers({ mcp_servers }).map((server) => readTools(server, { tools, isWhole: true }));
  }, 2500);
  expect(growth).toBeLessThan(LESS_THAN_QUADRATIC);
});
