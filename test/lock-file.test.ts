import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Entry {
  integrity?: string;
  resolved?: string;
  link?: true;
}

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, Entry>;
};
const entries = Object.entries(packages).filter(
  ([place, { link }]) => place.includes('node_modules/') && !link,
);

it('has a checksum for every package', () => {
  expect(entries.filter(([, { integrity }]) => !integrity).map(([place]) => place)).toEqual([]);
});

it('names no registry', () => {
  expect(entries.filter(([, { resolved }]) => resolved).map(([place]) => place)).toEqual([]);
});
