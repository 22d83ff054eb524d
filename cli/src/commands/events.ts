import type {
  EventDelivery,
  EventEndpoint,
  EventEndpointWithSecret,
  WantedEvent,
} from '@agent-control-plane/sdk';
import { Option } from '@commander-js/extra-typings';
import type { Cli } from '../cli.ts';
import { showList } from '../lists.ts';
import { allOption, gather, idArgument, pageOption, perPageOption, wholeNumber } from '../options.ts';
import type { Noun, Program } from '../program.ts';
import { readSecrets } from '../secret-input.ts';
import type { Column } from '../table.ts';
import { moment } from '../text.ts';

const ENDPOINTS: readonly Column<EventEndpoint>[] = [
  ['ID', ({ id }) => id],
  ['ADDRESS', ({ url }) => url, 'flexible'],
  ['EVENTS', ({ events }) => events.join(' '), 'flexible'],
  ['FORMAT', ({ format }) => format],
  ['STATE', ({ is_active }) => (is_active ? 'on' : 'off')],
  ['LAST DELIVERED', ({ last_delivered_at }) => moment(last_delivered_at)],
  ['LAST ERROR', ({ last_error }) => last_error],
];

const DELIVERIES: readonly Column<EventDelivery>[] = [
  ['ID', ({ id }) => id],
  ['TYPE', ({ type }) => type],
  ['STATUS', ({ status }) => status],
  ['TRIES', ({ attempts }) => String(attempts)],
  ['NEXT', ({ next_attempt_at }) => moment(next_attempt_at)],
  ['LAST ERROR', ({ last_error }) => last_error],
  ['AT', ({ at }) => moment(at)],
];

const FORMATS = ['standard', 'slack', 'teams'] as const;
const STATUSES = ['pending', 'delivered', 'failed'] as const;

const endpointArgument = () => idArgument('<endpoint-id>', 'the id, as `events list` shows it');

/** Prints only the secret to standard output. */
function showSecret({ output }: Cli, made: EventEndpointWithSecret): void {
  output.note(`event endpoint ${made.id}; its signing secret, shown once:`);
  output.answer(made, () => output.line(made.signing_secret));
}

export function addEvents(program: Program, cli: Cli): void {
  const events = program.command('events').description('programs and chats that are told what happens');

  events
    .command('list')
    .description('list who is told')
    .addOption(pageOption())
    .addOption(perPageOption())
    .addOption(allOption())
    .action(async (flags) => showList(cli, await cli.tenant(), 'list_event_endpoints', {}, ENDPOINTS, flags));

  events
    .command('create')
    .description('send events to an address, and show the secret that signs them')
    .option('--event <kind>', 'e.g. approval.requested; may be repeated; without, all', gather)
    .option('--to <url>', 'a public https URL; that of a chat is a credential: leave it out, or use -f')
    .option('-f, --file <path>', 'url, YAML or JSON; - is standard input; asked for on a terminal')
    .option('--description <text>', 'what it is for')
    .addOption(new Option('--format <format>', 'how events are written').choices(FORMATS).default(FORMATS[0]))
    .action(async ({ event = ['*'], to, file, description, format }) => {
      const { url } = to === undefined ? await readSecrets(cli, file, { url: 'URL' }) : { url: to };
      // The service knows the kinds, and names them where one is wrong.
      const events = event as WantedEvent[];
      const settings = { url, events, format, ...(description !== undefined && { description }) };
      showSecret(cli, await (await cli.tenant()).events.createEndpoint(settings));
    });

  addSwitches(events, cli);
  addDeliveries(events, cli);
}

/** Tried, switched, given another secret, and forgotten. */
function addSwitches(events: Noun, cli: Cli): void {
  const { output } = cli;

  events
    .command('test')
    .description('send a ping')
    .addArgument(endpointArgument())
    .action(async (id) => {
      const sent = await (await cli.tenant()).events.testEndpoint(id);
      output.answer(sent, () => output.line(`delivery ${sent.id} is on its way`));
    });

  events
    .command('rotate-secret')
    .description('replace the secret and show the new one')
    .addArgument(endpointArgument())
    .option(
      '--overlap <seconds>',
      'how long the former one signs as well',
      wholeNumber(0, 30 * 86_400),
      86_400,
    )
    .action(async (id, { overlap }) =>
      showSecret(cli, await (await cli.tenant()).events.rotateSecret(id, { overlap_seconds: overlap })),
    );

  for (const [name, is_active] of [
    ['on', true],
    ['off', false],
  ] as const)
    events
      .command(name)
      .description(
        is_active ? 'send events again, beginning with the next' : 'send no events; what waits has failed',
      )
      .addArgument(endpointArgument())
      .action(async (id) => {
        await (await cli.tenant()).events.updateEndpoint(id, { is_active });
        output.note(`event endpoint ${id} is ${name}`);
      });

  events
    .command('delete')
    .description('send no more events to an address')
    .addArgument(endpointArgument())
    .action(async (id) => {
      await (await cli.tenant()).events.deleteEndpoint(id);
      output.note(`removed event endpoint ${id}`);
    });
}

function addDeliveries(events: Noun, cli: Cli): void {
  const { output } = cli;

  events
    .command('deliveries')
    .description('list what was sent in the last 7 days, and what waits')
    .addArgument(endpointArgument())
    .addOption(new Option('--status <status>', 'only these').choices(STATUSES))
    .addOption(pageOption())
    .addOption(perPageOption())
    .addOption(allOption())
    .action(async (id, { status, ...flags }) => {
      const request = { path: { event_endpoint_id: id }, query: status ? { status } : {} };
      await showList(cli, await cli.tenant(), 'list_event_deliveries', request, DELIVERIES, flags);
    });

  events
    .command('redeliver')
    .description('send an event once more')
    .addArgument(endpointArgument())
    .addArgument(idArgument('<delivery-id>', 'the id, as `events deliveries` shows it'))
    .action(async (id, delivery_id) => {
      const sent = await (await cli.tenant()).events.redeliver(id, delivery_id);
      output.answer(sent, () => output.line(`delivery ${sent.id} is on its way`));
    });
}
