import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChannelEndpoint, ChannelMessage, ControlPlane } from '@agent-control-plane/sdk';
import type { Cli } from '../cli.ts';
import { CliError, EXIT, saysNo, usageError } from '../errors.ts';
import { askSecret, isInteractive, readSecretInput } from '../input.ts';
import { wholeNumber } from '../options.ts';
import type { Program } from '../program.ts';
import { messageBytes, signatureOf } from '../webhook-message.ts';

const LOOK_MS = 200;
/** Why a message may be pending of which no try failed. */
const NOT_YET =
  'no try has ended yet, an earlier message of the same sender waits, or no copy of the service runs jobs';

export function addChat(program: Program, cli: Cli): void {
  const chat = program.command('chat').description('the chat channel');
  const { output } = cli;

  chat
    .command('simulate')
    .description(
      'send a message as the channel would, signed, and show what becomes of it; the app secret is ACP_APP_SECRET',
    )
    .option('--endpoint <endpoint-id>', 'the number written to; not needed where there is one alone')
    .option('--phone-number-id <id>', 'the same, by the channel’s id for it')
    .option('--app-secret-stdin', 'read the app secret from standard input')
    .requiredOption('--from <number>', 'who writes, as 61455000001', (text) => text.replace(/^\+/, ''))
    .option('--name <name>', 'what the sender is called', 'agentctl')
    .requiredOption('--text <text>', 'what is written')
    .option('--timeout <seconds>', 'how long to wait until it is delivered', wholeNumber(1, 3600), 30)
    .action(async ({ endpoint, phoneNumberId, appSecretStdin, from, name, text, timeout }) => {
      const acp = await cli.tenant();
      const phone_number_id = await findNumber(acp, endpoint, phoneNumberId);
      const secret = await appSecret(cli, appSecretStdin ?? false);
      const id = `wamid.agentctl-${randomBytes(12).toString('base64url')}`;
      const bytes = messageBytes({ phone_number_id, from, name, id, text, at: new Date() });
      await post(cli.url, bytes, signatureOf(bytes, secret));
      output.note(`sent ${id}`);
      const message = await followed(cli, acp, id, timeout * 1000);
      output.answer(message, () =>
        output.line(`${message.status} to instance ${message.instance_id}, attempts: ${message.attempts}`),
      );
      if (message.status !== 'delivered')
        throw saysNo(`the message is ${message.status}: ${message.last_error ?? NOT_YET}`);
    });
}

async function findNumber(
  acp: ControlPlane,
  endpoint: string | undefined,
  given: string | undefined,
): Promise<string> {
  if (endpoint !== undefined && given !== undefined)
    throw usageError('say --endpoint or --phone-number-id, not both');
  const known: ChannelEndpoint[] = [];
  for await (const each of acp.channels.listAllEndpoints()) known.push(each);
  const meant = known.filter(
    ({ id, phone_number_id }) => id === (endpoint ?? id) && phone_number_id === (given ?? phone_number_id),
  );
  const [only, ...others] = meant;
  if (only && others.length === 0) return only.phone_number_id;
  if (!only)
    throw new CliError(EXIT.notFound, 'there is no such number', 'docs/webhook.md says how to register one');
  throw usageError(
    'say which --phone-number-id',
    meant.map(({ phone_number_id }) => phone_number_id).join(', '),
  );
}

async function appSecret({ env }: Cli, fromInput: boolean): Promise<string> {
  if (fromInput) return readSecretInput('app secret');
  if (env.ACP_APP_SECRET) return env.ACP_APP_SECRET;
  if (isInteractive()) return askSecret('App secret of the number');
  throw usageError('the app secret is missing', 'set ACP_APP_SECRET, or use --app-secret-stdin');
}

async function post(url: string, body: Uint8Array<ArrayBuffer>, signature: string): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature };
  const response = await fetch(`${url}/hooks/chatapp`, {
    method: 'POST',
    headers,
    body,
    redirect: 'error',
  }).catch((error: unknown) => {
    throw new CliError(EXIT.server, `${url}/hooks/chatapp did not answer (${(error as Error).message})`);
  });
  await response.body?.cancel();
  if (response.status === 401)
    throw new CliError(EXIT.unauthorized, 'the signature was refused: it is another app secret');
  if (!response.ok) throw new CliError(EXIT.server, `${url}/hooks/chatapp answered ${response.status}`);
}

/** The message once it is delivered or given up, or as it is when the time is over. */
async function followed(
  { output }: Cli,
  acp: ControlPlane,
  message_id: string,
  patienceMs: number,
): Promise<ChannelMessage> {
  const end = performance.now() + patienceMs;
  let shown = '';
  for (;;) {
    const { items } = await acp.channels.listMessages({ per_page: 100 });
    const message = items.find((each) => each.message_id === message_id);
    const words = message
      ? `${message.status}${message.last_error === null ? '' : `: ${message.last_error}`}`
      : '';
    if (words !== shown) output.progress(words);
    shown = words;
    if (message && (message.status !== 'pending' || performance.now() > end)) return message;
    if (performance.now() > end) throw saysNo('the message was not stored');
    await sleep(LOOK_MS);
  }
}
