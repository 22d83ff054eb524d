import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { EXIT, usageError } from './errors.ts';
import type { Terminal } from './terminal.ts';

const readInput = ({ stdin }: Terminal): Promise<string> => text(stdin);

/** Drops the final newline. Throws CliError for an empty secret. */
export async function readSecretInput(terminal: Terminal, what: string): Promise<string> {
  const secret = (await readInput(terminal)).replace(/\r?\n$/, '');
  if (secret === '') throw usageError(`standard input has no ${what}`);
  return secret;
}

export const isInteractive = ({ stdin, stderr }: Terminal): boolean => Boolean(stdin.isTTY && stderr.isTTY);

export const ask = (terminal: Terminal, question: string): Promise<string> =>
  prompt(terminal, question, true);

/** Anything but a yes is a no. */
export const agrees = async (terminal: Terminal, question: string): Promise<boolean> =>
  /^y(?:es)?$/i.test((await ask(terminal, `${question} [y/N]`)).trim());

export const askSecret = (terminal: Terminal, question: string): Promise<string> =>
  prompt(terminal, question, false);

const discard = new Writable({ write: (_chunk, _encoding, done) => done() });

function prompt({ stdin, stderr }: Terminal, question: string, echoes: boolean): Promise<string> {
  const output = echoes ? stderr : discard;
  // `terminal: true` turns the echo off before the question appears.
  const lines = createInterface({ input: stdin, output, terminal: true, historySize: 0 });
  return new Promise((resolve, reject) => {
    // In raw mode, Ctrl-C arrives as a key.
    lines.once('SIGINT', () => process.exit(EXIT.interrupted));
    lines.once('close', () => reject(usageError('nothing was entered')));
    lines.question(echoes ? `${question}: ` : '', (answer) => {
      if (!echoes) stderr.write('\n');
      resolve(answer);
      lines.close();
    });
    if (!echoes) stderr.write(`${question}: `);
  });
}
