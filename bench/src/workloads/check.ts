import { deepStrictEqual } from 'node:assert/strict';
import pg from 'pg';
import { type Call, send } from '../call.ts';
import { RECIPE } from '../data.ts';
import type { World } from '../world.ts';

export function checkRecipe(json: unknown, more: Readonly<Record<string, unknown>>): void {
  const { hosting_mode, ...others } = RECIPE;
  const expected = { ...others, hosting_mode, revision: 1, is_active: true, sidecars: [], ...more };
  const given = json as Record<string, unknown>;
  const fields = Object.fromEntries(Object.keys(expected).map((name) => [name, given?.[name]]));
  deepStrictEqual(fields, expected);
}

export async function checkRefused(base_url: string, call: Call, what: string): Promise<void> {
  const { status } = await send(base_url, call);
  if (status < 400 || status > 499) throw new Error(`${what} was answered with ${status}`);
}

/** @returns the rows of the script's third statement */
export async function runScript(
  { peer_url }: World,
  script: string,
  variables: Readonly<Record<string, number>>,
): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: peer_url });
  await client.connect();
  try {
    const results: unknown[][] = [];
    for (const line of script.split('\n').filter((text) => text !== '' && !text.startsWith('\\'))) {
      const text = line.replaceAll(
        /(?<!:):(\w+)::text/g,
        (_, name: string) => `'${variables[name] ?? ''}'::text`,
      );
      results.push((await client.query(text)).rows as unknown[]);
    }
    return results[2] ?? [];
  } finally {
    await client.end();
  }
}
