import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChannelEndpoint, ChannelMessage, ControlPlane } from '@agent-control-plane/sdk';
import type { Cli } from '../cli.ts';
import { CliError, EXIT, negativeResult, usageError } from '../errors.ts';
import { askSecret, isInteractive, readSecretInput } from '../input.ts';
import { wholeNumber } from '../options.ts';
import type { Noun } from '../program.ts';

const POLL_MS = 200;
/** Reasons for a pending message without a failed attempt. */
const NOT_YET =
  'no attempt has ended yet, an earlier message of the same sender is pending, or no copy of the service runs jobs';

export function addSimulate(messages: Noun, cli: Cli): void {
  const { output } = cli;

  messages
    .command('simulate')
    .description(
      'send a signed message as the channel does, and show its delivery; the app secret is ACP_APP_SECRET',
    )
    .option('--endpoint <endpoint-id>', 'the receiving number; optional when there is only one')
    .option('--phone-number-id <id>', 'the receiving number by the channel’s id')
    .option('--app-secret-stdin', 'read the app secret from standard input')
    .requiredOption('--from <number>', 'the sender, e.g. 61455000001', (text) => text.replace(/^\+/, ''))
    .option('--name <name>', 'the sender’s name', 'agentctl')
    .requiredOption('--text <text>', 'the text')
    .option('--timeout <seconds>', 'how long to wait for the delivery', wholeNumber(1, 3600), 30)
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
        throw negativeResult(`the message is ${message.status}: ${message.last_error ?? NOT_YET}`);
    });
}

async function findNumber(
  acp: ControlPlane,
  endpoint: string | undefined,
  given: string | undefined,
): Promise<string> {
  if (endpoint !== undefined && given !== undefined)
    throw usageError('use either --endpoint or --phone-number-id');
  const known: ChannelEndpoint[] = [];
  for await (const each of acp.channels.listAllEndpoints()) known.push(each);
  const matching = known.filter(
    ({ id, phone_number_id }) => id === (endpoint ?? id) && phone_number_id === (given ?? phone_number_id),
  );
  const [only, ...others] = matching;
  if (only && others.length === 0) return only.phone_number_id;
  if (!only)
    throw new CliError(
      EXIT.notFound,
      'there is no such number',
      'docs/webhook.md explains how to register one',
    );
  throw usageError(
    'choose a --phone-number-id',
    matching.map(({ phone_number_id }) => phone_number_id).join(', '),
  );
}

async function appSecret({ env, terminal }: Cli, fromInput: boolean): Promise<string> {
  if (fromInput) return readSecretInput(terminal, 'app secret');
  if (env.ACP_APP_SECRET) return env.ACP_APP_SECRET;
  if (isInteractive(terminal)) return askSecret(terminal, 'App secret of the number');
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
    throw new CliError(EXIT.unauthorized, 'the signature was refused: the app secret is wrong');
  if (!response.ok) throw new CliError(EXIT.server, `${url}/hooks/chatapp answered ${response.status}`);
}

/** @returns the message once it is delivered or failed, or after `timeoutMs` */
async function followed(
  { output }: Cli,
  acp: ControlPlane,
  message_id: string,
  timeoutMs: number,
): Promise<ChannelMessage> {
  const end = performance.now() + timeoutMs;
  let shown = '';
  for (;;) {
    const { items } = await acp.channels.listMessages({ per_page: 100 });
    const message = items.find((each) => each.message_id === message_id);
    const line = message
      ? `${message.status}${message.last_error === null ? '' : `: ${message.last_error}`}`
      : '';
    if (line !== shown) output.progress(line);
    shown = line;
    if (message && (message.status !== 'pending' || performance.now() > end)) return message;
    if (performance.now() > end) throw negativeResult('the message was not stored');
    await sleep(POLL_MS);
  }
}

interface SimulatedMessage {
  readonly phone_number_id: string;
  /** Only digits. */
  readonly from: string;
  readonly name: string;
  readonly id: string;
  readonly text: string;
  readonly at: Date;
}

function messageBytes({
  phone_number_id,
  from,
  name,
  id,
  text,
  at,
}: SimulatedMessage): Uint8Array<ArrayBuffer> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '15550100000', phone_number_id },
    contacts: [{ profile: { name }, wa_id: from }],
    messages: [{ from, id, timestamp, type: 'text', text: { body: text } }],
  };
  const entry = [{ id: '0', changes: [{ field: 'messages', value }] }];
  return new TextEncoder().encode(JSON.stringify({ object: 'whatsapp_business_account', entry }));
}

/** X-Hub-Signature-256. */
const signatureOf = (bytes: Uint8Array, app_secret: string): string =>
  `sha256=${createHmac('sha256', app_secret).update(bytes).digest('hex')}`;
