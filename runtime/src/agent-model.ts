import type { Usage } from './answer.ts';
import { aPerson, type Choices } from './choices.ts';
import type { Commander } from './commander.ts';
import { ControlPlaneError } from './control-plane.ts';
import { type Exchange, offeredIn } from './exchange.ts';
import { toChannelFormatting } from './formatting.ts';
import type { createGateway } from './gateway.ts';
import { type ChatMessage, chatOf } from './history.ts';
import type { InboundMessage } from './inbound-message.ts';
import { languageOf } from './language.ts';
import type { Llm, LlmAnswer } from './llm.ts';

/** An answer, or a part of one. */
export interface Draft {
  text: string;
  handover?: string | undefined;
  usage?: Usage | undefined;
  choices?: Choices | undefined;
  /** Why the model failed. */
  error?: string | undefined;
}

interface ModelAnswer extends Draft {
  /** The model gave no answer; `text` says so. */
  isSilent?: true;
}

interface QuestionContext {
  /** Earlier messages of the same burst, and their answers. */
  done?: readonly ChatMessage[];
  /** As data URLs. */
  pictures?: readonly string[];
}

/** Recordings have no caption, so a text is the transcript. */
const isTranscribed = ({ kind, text, message_ids }: InboundMessage): boolean =>
  text !== null && message_ids.length === 1 && (kind === 'audio' || kind === 'voice');

/** The language model with the agent's tools. */
export class AgentModel {
  readonly #llm: Llm;
  readonly #gateway: ReturnType<typeof createGateway>;
  readonly #commander: Commander;

  constructor(llm: Llm, gateway: ReturnType<typeof createGateway>, commander: Commander) {
    this.#llm = llm;
    this.#gateway = gateway;
    this.#commander = commander;
  }

  /** @returns undefined while the agent's configuration is not available */
  async ask(
    exchange: Exchange,
    text: string,
    { done = [], pictures = [] }: QuestionContext = {},
  ): Promise<ModelAnswer | undefined> {
    const { agent, message } = exchange;
    if (agent instanceof ControlPlaneError) return undefined;
    const { media, history, sent_at } = message;
    const isUnseen = media.length > pictures.length && !isTranscribed(message);
    const unseen = isUnseen ? '\n\n[Something was attached that you cannot see or hear.]' : '';
    const offered = offeredIn(exchange).filter((tool) => !tool.private);
    const answer = await this.#llm({
      system_prompt: agent.system_prompt,
      instructions: agent.instructions,
      chat: chatOf(history, done, text + unseen),
      pictures,
      sent_at,
      zone: agent.zone,
      message,
      tools: agent.hasServers ? [...offered, ...(await this.#gateway(exchange))] : offered,
      run: (tool, args) => this.#commander.run(exchange, { tool, args }),
    });
    return modelAnswerOf(answer, message);
  }
}

function modelAnswerOf(
  { text, isMarkdown, usage, choices, handover, failure }: LlmAnswer,
  message: InboundMessage,
): ModelAnswer {
  const error = failure?.cause;
  if (text === undefined) {
    const language = languageOf(message);
    const excuse = language.say(failure?.isBudget ? 'no_budget' : 'no_model');
    return { text: excuse, choices: aPerson(language), usage, error, isSilent: true };
  }
  // The playground renders Markdown.
  const isFormatted = isMarkdown && message.channel !== 'playground';
  return { text: isFormatted ? toChannelFormatting(text) : text, usage, choices, handover, error };
}
