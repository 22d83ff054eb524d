import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { RESOURCES, scopeWords, shortened } from '../../src/rules/scopes.ts';

const document = readFileSync(new URL('../../../server/openapi.json', import.meta.url), 'utf8');

it('has each scope that an operation needs, and no other', () => {
  const needed = new Set([...document.matchAll(/"x-scope":\s*"([^"]+)"/g)].map(([, scope]) => scope));
  const offered = RESOURCES.flatMap(({ slug, verbs }) => verbs.map((verb) => `${slug}:${verb}`));
  expect(new Set(offered)).toEqual(needed);
});

it('says all verbs of a resource by one scope', () => {
  const chosen = ['recipes:read', 'recipes:write', 'recipes:delete', 'users:read', 'usage:read'];
  expect(shortened(new Set(chosen))).toEqual(['recipes:*', 'usage:read', 'users:read']);
});

it('says a scope in words', () => {
  expect(['*', 'users:*', 'usage:read', 'new:read'].map(scopeWords)).toEqual([
    'Everything',
    'Users: all',
    'Usage and limits: read',
    'new: read',
  ]);
});
