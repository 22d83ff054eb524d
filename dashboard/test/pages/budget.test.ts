import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { settled, Visitor } from '../support/browser.ts';
import { furnishedTenant } from '../support/furnished.ts';

const KB = 1000;
const ASSETS = join(import.meta.dirname, '../../dist/assets');

it('opens the first page with few bytes and few requests', async () => {
  const tenant = await furnishedTenant();
  const visitor = await Visitor.of(tenant.house, tenant);
  const sizes: { path: string; bytes: number }[] = [];
  // A live hint repeats one.
  const reads = new Set<string>();
  visitor.context.on('response', (response) => {
    const path = new URL(response.url()).pathname;
    if (path.startsWith('/v1/') || path.startsWith('/auth/')) reads.add(path);
    else {
      const length = Number(response.headers()['content-length'] ?? 0);
      sizes.push({ path, bytes: length });
    }
  });
  const page = await visitor.open('/');
  await settled(page);
  const sum = (ending: string) =>
    sizes.filter(({ path }) => path.endsWith(ending)).reduce((total, { bytes }) => total + bytes, 0);
  const all = sum('');
  expect(sizes.every(({ bytes }) => bytes > 0)).toBe(true);
  // The palette loads afterwards.
  expect(sum('.js'), JSON.stringify(sizes)).toBeLessThan(130 * KB);
  expect(all, JSON.stringify(sizes)).toBeLessThan(200 * KB);
  expect(reads.size, [...reads].join(' ')).toBeLessThanOrEqual(6);
});

it('has no chunk that is larger than 150 KB', () => {
  const packed = readdirSync(ASSETS).filter((name) => name.endsWith('.br'));
  const large = packed.filter((name) => statSync(join(ASSETS, name)).size > 150 * KB);
  expect(packed.length).toBeGreaterThan(5);
  expect(large).toEqual([]);
});
