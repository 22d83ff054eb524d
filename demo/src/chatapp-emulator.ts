import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SentText {
  /** A phone number, or the user id of a person without one. */
  to: string;
  text: string;
  /** Titles of the buttons or of the list's rows below the text. */
  choices: readonly string[];
}

export interface ChatappEmulator {
  base_url: string;
  /** Resolves with the next text in order, for one caller at a time. Rejects when the signal aborts. */
  nextText(signal: AbortSignal): Promise<SentText>;
  close(): Promise<void>;
}

interface Answer {
  status: number;
  body: unknown;
}

interface Account {
  phone_number_id: string;
  access_token: string;
}

/** The channel's send API for one number: `POST /{phone_number_id}/messages`. */
export async function startChatappEmulator(account: Account): Promise<ChatappEmulator> {
  const sent: SentText[] = [];
  const arrivals = new EventEmitter();
  const onText = (text: SentText) => {
    sent.push(text);
    arrivals.emit('text');
  };
  const server = createServer((request, response) => {
    void answer(account, request, onText).then(({ status, body }) =>
      response
        .writeHead(status, { 'content-type': 'application/json; charset=UTF-8' })
        .end(JSON.stringify(body)),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async nextText(signal) {
      if (sent.length === 0) await once(arrivals, 'text', { signal });
      return sent.shift() as SentText;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function answer(
  account: Account,
  request: IncomingMessage,
  onText: (sent: SentText) => void,
): Promise<Answer> {
  if (request.headers.authorization !== `Bearer ${account.access_token}`) {
    return graphError(401, 190, 'Invalid OAuth access token - Cannot parse access token');
  }
  const { method, url } = request;
  if (method !== 'POST' || url !== `/${account.phone_number_id}/messages`) {
    return graphError(400, 100, `Unsupported ${method?.toLowerCase()} request: ${url} does not exist`);
  }
  const message = parse(await textOf(request));
  if (typeof message === 'string') return graphError(400, 100, `(#100) ${message}`);
  onText(message);
  const contact = { input: message.to, wa_id: message.to };
  const id = `wamid.${randomBytes(24).toString('base64url')}`;
  return { status: 200, body: { messaging_product: 'whatsapp', contacts: [contact], messages: [{ id }] } };
}

type Fields = Record<string, unknown>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? { ...value } : {};
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** @returns the message, or an error message */
function parse(json: string): SentText | string {
  let body: Fields;
  try {
    body = fieldsOf(JSON.parse(json));
  } catch {
    return 'The body is not JSON';
  }
  const to = body.to ?? body.recipient;
  if (body.messaging_product !== 'whatsapp') return 'The parameter messaging_product is required.';
  if (typeof to !== 'string' || to === '') return 'The parameter to is required.';
  if (body.type === 'interactive') return interactive(to, fieldsOf(body.interactive));
  if (body.type !== 'text') return 'Param type must be one of {TEXT, INTERACTIVE}';
  const text = fieldsOf(body.text).body;
  if (typeof text !== 'string' || text === '') return "The parameter text['body'] is required.";
  if (text.length > 4096) return "Param text['body'] must be at most 4096 characters long.";
  return { to, text, choices: [] };
}

/** Buttons, or a list with one section. */
function interactive(to: string, message: Fields): SentText | string {
  const text = fieldsOf(message.body).text;
  if (typeof text !== 'string' || text === '')
    return "The parameter interactive['body']['text'] is required.";
  if (text.length > 1024) return "Param interactive['body']['text'] must be at most 1024 characters long.";
  const action = fieldsOf(message.action);
  const choices =
    message.type === 'button'
      ? listOf(action.buttons).map((button) => fieldsOf(fieldsOf(button).reply).title)
      : listOf(action.sections).flatMap((section) =>
          listOf(fieldsOf(section).rows).map((row) => fieldsOf(row).title),
        );
  if (choices.length === 0) return "The parameter interactive['action'] is required.";
  return { to, text, choices: choices.map(String) };
}

function graphError(status: number, code: number, message: string): Answer {
  const fbtrace_id = randomBytes(8).toString('base64url');
  return { status, body: { error: { message, type: 'OAuthException', code, fbtrace_id } } };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
