import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

interface Entry {
  integrity?: string;
  resolved?: string;
  link?: true;
}

const REPOSITORY = resolve(import.meta.dirname, '..');

const files = readdirSync(REPOSITORY, { withFileTypes: true, recursive: true })
  .filter(({ name, parentPath }) => name === 'package-lock.json' && !parentPath.includes('node_modules'))
  .map(({ parentPath, name }) => join(parentPath, name));

it('exists for each program that is installed', () => {
  expect(files.length).toBeGreaterThan(1);
});

describe.each(files.map((file) => [file.slice(REPOSITORY.length + 1), file]))('%s', (_, file) => {
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Entry> };
  const entries = Object.entries(packages).filter(
    ([place, { link }]) => place.includes('node_modules/') && !link,
  );

  it('has a checksum for every package', () => {
    expect(entries.filter(([, { integrity }]) => !integrity).map(([place]) => place)).toEqual([]);
  });

  it('names no registry', () => {
    expect(entries.filter(([, { resolved }]) => resolved).map(([place]) => place)).toEqual([]);
  });
});
