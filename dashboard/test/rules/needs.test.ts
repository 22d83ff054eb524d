import { expect, it } from 'vitest';
import { needsOf, needWords } from '../../src/rules/needs.ts';

it('are the connections of a recipe and the credentials of its tools, each once', () => {
  const needs = needsOf({
    connection_requirements: [
      'chatapp',
      { provider: 'google_drive', name: 'main' },
      { provider: 'crm', optional: true },
      { optional: true },
    ],
    mcp_servers: [
      { name: 'crm', url: 'https://crm.example', provider: 'crm' },
      { name: 'orders', url: 'https://orders.example', provider: 'chatapp' },
      { name: 'open', url: 'https://open.example' },
    ],
  });
  expect(needs).toEqual([
    { provider: 'chatapp', optional: false },
    { provider: 'google_drive', name: 'main', optional: false },
    { provider: 'crm', optional: false },
  ]);
  expect(needWords(needs)).toBe('chatapp, google_drive (main), crm');
});

it('say what may be missing', () => {
  expect(needWords(needsOf({ connection_requirements: [{ provider: 'crm', optional: true }] }))).toBe(
    'crm if there is one',
  );
  expect(needsOf({ mcp_servers: 'none', connection_requirements: null })).toEqual([]);
});
