import type { Cli } from './cli.ts';
import { readObject } from './documents.ts';
import { type CliError, usageError } from './errors.ts';
import { askSecret, isInteractive, readSecretInput } from './input.ts';

/** On a terminal, asks twice. Throws CliError without a secret. */
export async function readNewSecret({ terminal }: Cli, what: string): Promise<string> {
  if (!isInteractive(terminal)) return readSecretInput(terminal, what);
  const secret = await askSecret(terminal, `New ${what}`);
  if (secret !== (await askSecret(terminal, 'The same again'))) throw usageError('the two are not the same');
  return secret;
}

/**
 * From a file (- is standard input), or asked for on a terminal. Throws CliError.
 *
 * @param names each name with its question
 */
export async function readSecrets<Name extends string>(
  { terminal }: Cli,
  file: string | undefined,
  names: Readonly<Record<Name, string>>,
): Promise<Record<Name, string>> {
  const entries = Object.entries(names) as [Name, string][];
  if (file === undefined && !isInteractive(terminal)) throw noSecrets(entries.map(([name]) => name));
  const given = file === undefined ? {} : await readObject(terminal, file);
  const read: [Name, string][] = [];
  for (const [name, question] of entries) {
    const value = file === undefined ? await askSecret(terminal, question) : given[name];
    if (typeof value !== 'string' || value === '') throw usageError(`${name} is missing, or is not a text`);
    read.push([name, value]);
  }
  return Object.fromEntries(read) as Record<Name, string>;
}

const noSecrets = (names: readonly string[]): CliError =>
  usageError(
    `no terminal to ask for ${names.join(' and ')}`,
    `give a file with -f, or "-f -" and on standard input: ${names.map((name) => `${name}: …`).join(', ')}`,
  );
