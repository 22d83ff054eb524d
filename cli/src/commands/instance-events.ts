import type { InstanceEvent } from '@agent-control-plane/sdk';
import type { Cli } from '../cli.ts';
import { wordsOf } from '../instance-log.ts';
import { idArgument, wholeNumber } from '../options.ts';
import type { Noun } from '../program.ts';
import { moment, printable } from '../text.ts';

export function addInstanceEvents(instances: Noun, cli: Cli): void {
  const { output } = cli;

  const show = (event: InstanceEvent) =>
    output.each(event, () =>
      output.line(`${output.style('dim', moment(event.at))}  ${printable(wordsOf(event))}`),
    );

  instances
    .command('events')
    .description('print the log of an instance, oldest first; with --json one event to a line')
    .addArgument(idArgument('<instance-id>', 'its id'))
    .option('-f, --follow', 'go on as it is written, until the instance is terminated')
    .option('--tail <number>', 'only the last so many lines of what there is', wholeNumber(1, 100_000))
    .action(async (id, { follow, tail = Infinity }) => {
      const acp = await cli.tenant();
      const written: InstanceEvent[] = [];
      for await (const event of acp.instances.listAllEvents(id)) {
        // A line that is written meanwhile shifts others to the next page.
        if (event.id >= (written.at(-1)?.id ?? Infinity)) continue;
        written.push(event);
        if (written.length >= tail) break;
      }
      for (const event of written.toReversed()) show(event);
      const [last] = written;
      if (!follow || last?.to === 'terminated') return;
      for await (const event of acp.instances.events(id, { after: last?.id ?? 0 })) show(event);
    });
}
