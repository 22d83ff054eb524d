import { EXIT } from './errors.ts';
import { run } from './run.ts';

/** Such as `agentctl … | head`, or a full disk. */
function endWhenNotWritten(stream: NodeJS.WriteStream): void {
  stream.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit();
    if (stream === process.stdout)
      process.stderr.write(`error: standard output cannot be written (${code})\n`);
    process.exit(EXIT.usage);
  });
}

endWhenNotWritten(process.stdout);
endWhenNotWritten(process.stderr);
process.on('SIGINT', () => process.exit(EXIT.interrupted));
process.on('SIGTERM', () => process.exit(EXIT.terminated));
process.exitCode = await run(process.argv, process.env, process);
