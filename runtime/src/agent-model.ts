import type { Usage } from './answer.ts';
import type { Commander } from './commander.ts';
import { ControlPlaneError } from './control-plane.ts';
import { type Exchange, offeredIn } from './exchange.ts';
import { toChannelFormatting } from './formatting.ts';
import type { createGateway } from './gateway.ts';
import { type ChatTurn, chatOf } from './history.ts';
import type { InboundMessage } from './inbound-message.ts';
import type { Llm, LlmAnswer } from './llm.ts';

const noBudget = 'I have used up what I may think this month. Send "help" to see what works all the same.';
export const noModel = 'I cannot think about that right now. Send "help" to see what works all the same.';

/** An answer that is being made, of one part or several. */
export interface Draft {
  text: string;
  handover?: string | undefined;
  usage?: Usage | undefined;
  /** Why the model had no part in it. */
  error?: string | undefined;
}

/** A model's answer, or the sentence that it has none. */
export interface ModelAnswer extends Draft {
  isSilent?: true;
}

/** A question's surroundings in its conversation. */
interface Surroundings {
  /** The exchanges of the same burst that are done. */
  done?: readonly ChatTurn[];
  /** As data URLs. */
  pictures?: readonly string[];
}

/** Recordings have no caption: their words are those that were heard. */
const isTranscribed = ({ kind, text, message_ids }: InboundMessage): boolean =>
  text !== null && message_ids.length === 1 && (kind === 'audio' || kind === 'voice');

/** The agent's language model, with the tools that the agent has. */
export class AgentModel {
  readonly #llm: Llm;
  readonly #gateway: ReturnType<typeof createGateway>;
  readonly #commander: Commander;

  constructor(llm: Llm, gateway: ReturnType<typeof createGateway>, commander: Commander) {
    this.#llm = llm;
    this.#gateway = gateway;
    this.#commander = commander;
  }

  /** @returns undefined while the agent's configuration cannot be had */
  async ask(
    exchange: Exchange,
    text: string,
    { done = [], pictures = [] }: Surroundings = {},
  ): Promise<ModelAnswer | undefined> {
    const { agent, message } = exchange;
    if (agent instanceof ControlPlaneError) return undefined;
    const { media, history, received_at } = message;
    const isUnseen = media.length > pictures.length && !isTranscribed(message);
    const unseen = isUnseen ? '\n\n[Something was attached that you cannot see or hear.]' : '';
    const offered = offeredIn(exchange).filter((tool) => !tool.private);
    const answer = await this.#llm({
      system_prompt: agent.system_prompt,
      instructions: agent.instructions,
      chat: chatOf(history, done, text + unseen),
      pictures,
      received_at,
      zone: agent.zone,
      message,
      tools: agent.hasServers ? [...offered, ...(await this.#gateway(exchange))] : offered,
      run: (tool, args) => this.#commander.run(exchange, { tool, args }),
    });
    return saidIn(answer, message);
  }
}

function saidIn(
  { text, isMarkdown, usage, handover, failure }: LlmAnswer,
  { channel }: InboundMessage,
): ModelAnswer {
  const error = failure?.cause;
  if (text === undefined)
    return { text: failure?.isBudget ? noBudget : noModel, usage, error, isSilent: true };
  // The playground shows Markdown as it is.
  const isFormatted = isMarkdown && channel !== 'playground';
  return { text: isFormatted ? toChannelFormatting(text) : text, usage, handover, error };
}
