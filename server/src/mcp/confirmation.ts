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
import type { Keyring } from '../secrets/keyring.ts';
import { deriveKey } from '../secrets/sealing.ts';
import type { Arguments, Tool } from './tools.ts';

const TTL_SECONDS = 600;
const KEY = 'confirm';

/** The parts of a call besides the tool and its arguments. */
export type CallMeta = Pick<ServerContext['mcpReq'], 'envelope' | 'inputResponses' | 'requestState'>;

/** The call that a person was asked about. The answer counts for no other call. */
export interface Question {
  caller: string;
  tool: string;
  fingerprint: string;
}

/** undefined: nobody can be asked. */
export type Confirmation = 'confirmed' | 'declined' | InputRequiredResult | undefined;

/**
 * Asks a person before a destructive call, where the client offers elicitation in the revision 2026-07-28: the call is
 * answered with the question, and the client calls again with the answer. Earlier revisions need an open connection.
 */
export class Confirmations {
  readonly codec: RequestStateCodec<Question>;

  constructor(keyring: Keyring) {
    const key = deriveKey(keyring.serviceKey('tool-calls'), 'confirmation');
    this.codec = createRequestStateCodec({ key, ttlSeconds: TTL_SECONDS });
  }

  /** @param args the declared arguments, to which the fingerprint belongs */
  async confirm(
    { definition }: Tool,
    args: Arguments,
    question: Omit<Question, 'fingerprint'> & { fingerprint: string | null },
    { envelope, inputResponses, requestState }: CallMeta,
  ): Promise<Confirmation> {
    const { fingerprint } = question;
    // Arguments without a fingerprint are invalid, and the call will be refused for that.
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
          message: `${definition.title}? ${JSON.stringify(args).slice(0, 500).toWellFormed()}`,
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

/** Elicitation without a mode means forms. */
function canAsk(envelope: object = {}): boolean {
  const { [CLIENT_CAPABILITIES_META_KEY]: capabilities } = envelope as Record<string, ClientCapabilities>;
  const elicitation = capabilities?.elicitation;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}
