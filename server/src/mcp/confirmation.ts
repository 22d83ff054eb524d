import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Queryable } from '../platform/db/queryable.ts';
import { found } from '../platform/errors.ts';
import type { Keyring } from '../secrets/keyring.ts';
import { deriveKey } from '../secrets/sealing.ts';
import { TARGETS, type Target } from './targets.db.ts';
import { type Arguments, type Tool, titleOf } from './tools.ts';

const TTL_SECONDS = 600;
const KEY = 'confirm';
const MAX_NAME_LENGTH = 100;

export type CallMeta = Pick<ServerContext['mcpReq'], 'envelope' | 'inputResponses' | 'requestState'>;

/** Identifies the call; the answer is valid for no other one. */
interface Question {
  caller: string;
  tool: string;
  fingerprint: string;
}

/** undefined: the client cannot ask. */
type Confirmation = 'confirmed' | 'declined' | InputRequiredResult | undefined;

/**
 * Asks a person before a destructive call, if the client offers elicitation (revision 2026-07-28): the response is the
 * question, and the client repeats the call with the answer. Earlier revisions would need an open connection.
 */
export class Confirmations {
  readonly codec: RequestStateCodec<Question>;

  constructor(keyring: Keyring) {
    const key = deriveKey(keyring.serviceKey('tool-calls'), 'confirmation');
    this.codec = createRequestStateCodec({ key, ttlSeconds: TTL_SECONDS });
  }

  /**
   * Rejects with 404 for an unknown row.
   * @param args valid; the fingerprint is theirs
   */
  async confirm(
    q: Queryable,
    tool: Tool,
    args: Arguments,
    question: Omit<Question, 'fingerprint'> & { fingerprint: string | null },
    { envelope, inputResponses, requestState }: CallMeta,
  ): Promise<Confirmation> {
    const { fingerprint } = question;
    // A fingerprint is null only for invalid arguments.
    if (fingerprint === null || !canAsk(envelope)) return undefined;
    const asked = requestState<Question>();
    const isSame =
      asked?.caller === question.caller && asked.tool === question.tool && asked.fingerprint === fingerprint;
    const answer = inputResponse(inputResponses, KEY);
    if (isSame && answer.kind === 'elicit') {
      return answer.action === 'accept' && answer.content?.[KEY] === true ? 'confirmed' : 'declined';
    }
    return inputRequired({
      inputRequests: {
        [KEY]: inputRequired.elicit({
          message: await questionText(q, tool, args),
          requestedSchema: {
            type: 'object',
            properties: { [KEY]: { type: 'boolean', title: 'Do it', default: false } },
            required: [KEY],
          },
        }),
      },
      requestState: await this.codec.mint({ ...question, fingerprint }),
    });
  }
}

/** Stop instance? “crew.example.com” of customer “Acme Ltd”. {"instance_id":"…"} */
async function questionText(q: Queryable, tool: Tool, args: Arguments): Promise<string> {
  const names = [...tool.route.operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const targets: Target[] = [];
  for (const name of names) {
    const known = TARGETS[name];
    if (known) targets.push(found(known.what, await q.run(known.find(String(args[name])))));
  }
  const target = targets.at(-1);
  const parts = [`${titleOf(tool.name)}?`];
  const subject = target && targetText(target);
  if (subject) parts.push(subject);
  return [...parts, JSON.stringify(args).slice(0, 500).toWellFormed()].join(' ');
}

function targetText({ name, customers, customer_count }: Target): string | undefined {
  const others = customer_count > customers.length ? ` and ${customer_count - customers.length} more` : '';
  const noun = customer_count > 1 ? 'customers' : 'customer';
  const whose = customers.length > 0 ? `${noun} ${customers.map(quoted).join(', ')}${others}` : undefined;
  const parts = [name === null ? undefined : quoted(name), whose].filter((part) => part !== undefined);
  return parts.length > 0 ? `${parts.join(' of ')}.` : undefined;
}

/** On one short line in quotes, so that a chosen name cannot imitate the question. */
const quoted = (name: string) =>
  `“${name
    .replaceAll(/[\p{C}\s“”]+/gu, ' ')
    .slice(0, MAX_NAME_LENGTH)
    .toWellFormed()}”`;

/** Elicitation without a mode means forms. */
function canAsk(envelope: object = {}): boolean {
  const { [CLIENT_CAPABILITIES_META_KEY]: capabilities } = envelope as Record<string, ClientCapabilities>;
  const elicitation = capabilities?.elicitation;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}
