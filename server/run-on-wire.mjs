// run-on-wire.mjs PROGRAM [ARGUMENT]...
//
// Opens the wire (wire.mjs) beside a program that may be in any language, and ends with it.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import './wire.mjs';

// They reach the program too, which finishes its requests over the wire.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {});

const [program, ...args] = process.argv.slice(2);
const child = spawn(program, args, { stdio: 'inherit' });
child.on('error', ({ message }) => {
  process.stderr.write(`${message}\n`);
  process.exit(127);
});
child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
