import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { EXIT, usageError } from './errors.ts';

/** Reads all of standard input. */
export const readInput = (): Promise<string> => text(process.stdin);

/** Reads a secret from standard input, without the final newline. Throws CliError when empty. */
export async function readSecretInput(what: string): Promise<string> {
  const secret = (await readInput()).replace(/\r?\n$/, '');
  if (secret === '') throw usageError(`standard input has no ${what}`);
  return secret;
}

export const isInteractive = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

export const ask = (question: string): Promise<string> => prompt(question, true);

/** Asks without an echo. */
export const askSecret = (question: string): Promise<string> => prompt(question, false);

const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });

function prompt(question: string, echoes: boolean): Promise<string> {
  const output = echoes ? process.stderr : nowhere;
  // `terminal: true` turns the echo off before the question appears.
  const lines = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
  return new Promise((resolve, reject) => {
    // In raw mode, Ctrl-C arrives as a key.
    lines.once('SIGINT', () => process.exit(EXIT.interrupted));
    lines.once('close', () => reject(usageError('nothing was entered')));
    lines.question(echoes ? `${question}: ` : '', (answer) => {
      if (!echoes) process.stderr.write('\n');
      resolve(answer);
      lines.close();
    });
    if (!echoes) process.stderr.write(`${question}: `);
  });
}
