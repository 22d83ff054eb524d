import type { Conversation, Message } from '@agent-control-plane/sdk';
import { useRead } from '../queries.ts';
import { personOf, speakerOf } from '../rules/speaker.ts';
import { signOf } from '../rules/status.ts';
import { clock, full } from '../rules/time.ts';
import { visible } from '../rules/visible-text.ts';
import { Choices } from '../ui/choices.tsx';
import { Said } from '../ui/said.tsx';
import { ShapeMark } from '../ui/status.tsx';
import { MediaOf } from './conversation-media.tsx';
import { ToolCallLine } from './conversation-tool-call.tsx';
import { TraceOf } from './conversation-trace.tsx';
import style from './transcript.module.css';

interface MessageProps {
  of: Message;
  conversation: Conversation;
  /** All that are read, for what the answer is an answer to. */
  messages: readonly Message[];
}

export function MessageLine({ of: message, conversation, messages }: MessageProps) {
  const { data: me } = useRead('get_me', {});
  const { author, at, media, tool_calls, conversation_id } = message;
  return (
    <li className={`${style.message} ${style[author]}`}>
      <p className={style.by}>
        <b className={style.author}>{speakerOf(message, conversation, me?.user.id)}</b>
        <time dateTime={at} title={full(at)} className="num">
          {clock(at)}
        </time>
        <Fate of={message} isAgents={conversation.mode === 'agent'} />
      </p>
      <Context of={message} />
      <Words of={message} />
      <MediaOf media={media} conversation_id={conversation_id} />
      <Choices buttons={message.buttons} options={message.options} />
      <Failure of={message} />
      {tool_calls.map((call, nth) => (
        // Calls have no other identity than their place.
        <ToolCallLine key={`${message.id} ${nth}`} of={call} />
      ))}
      {author === 'agent' && <TraceOf answer={message} messages={messages} />}
    </li>
  );
}

/** A status that is not what one expects stands beside the time; a failure has a line of its own. */
function Fate({ of: { direction, status, kind }, isAgents }: { of: Message; isAgents: boolean }) {
  const words = direction === 'out' && status !== 'failed' ? signOf('message', status).word : undefined;
  const edited = kind === 'edit' ? 'changed' : undefined;
  const waits = isAgents && status === 'pending' ? 'not read by the agent yet' : undefined;
  const all = [words, edited, waits].filter((each) => each !== undefined).join(', ');
  return all === '' ? null : <span>{all}</span>;
}

/** Quoted words, the ad that it comes from. */
function Context({ of: { quoted, referral } }: { of: Message }) {
  return (
    <>
      {referral && (
        <p className="hint">
          From {referral.headline ? `“${visible(referral.headline)}”` : 'an ad or a post'}
          {referral.product_id && `, about product ${visible(referral.product_id)}`}
        </p>
      )}
      {quoted && (
        <blockquote className={style.quoted}>
          {quoted.text === null ? 'an earlier message' : visible(quoted.text.slice(0, 280))}
        </blockquote>
      )}
    </>
  );
}

function Words({ of: { text, reaction, media, kind } }: { of: Message }) {
  if (reaction)
    return (
      <p className="hint">
        {reaction.emoji === null ? 'took the reaction back' : <>reacted with {visible(reaction.emoji)}</>}
      </p>
    );
  if (text)
    return (
      <div className={style.words}>
        <Said text={text} />
      </div>
    );
  if (media.length > 0) return null;
  return (
    <p className={`hint ${style.erased}`}>
      {ERASED_KINDS.includes(kind) ? 'Erased' : `Sent without words (${visible(kind)})`}
    </p>
  );
}

const ERASED_KINDS = ['text', 'edit', 'template', 'image', 'audio', 'voice', 'video', 'document'];

/** The words of the channel, or why a model had no part in the answer. */
function Failure({ of: { status, error, direction } }: { of: Message }) {
  if (status === 'failed' || status === 'dead')
    return (
      <p className={style.failed}>
        <ShapeMark shape="triangle" tone="bad" size={10} />
        <span>
          {direction === 'out' ? 'Not delivered' : 'The agent did not get it'}
          {error && <>: {visible(error)}</>}
        </span>
      </p>
    );
  if (error === null) return null;
  return (
    <p className={style.warned}>
      <ShapeMark shape="diamond" tone="wait" size={10} />
      <span>{visible(error)}</span>
    </p>
  );
}

/** Somebody else answers from here on. */
export function TurnLine({ of: message }: { of: Message }) {
  const { data: me } = useRead('get_me', {});
  const { kind, text, at } = message;
  const person = personOf(message, me?.user.id);
  const isHandover = kind === 'handover';
  return (
    <li className={`${style.turn} ${isHandover ? style.handed : ''}`}>
      <span>
        <ShapeMark
          shape={isHandover ? 'diamond' : 'disc'}
          tone={isHandover ? 'wait' : person === undefined ? 'off' : 'act'}
          size={9}
        />{' '}
        {isHandover ? (
          <HandedOver reason={text} />
        ) : (
          `${person === undefined ? 'The agent answers again' : `${person} took over`}, ${clock(at)}`
        )}
      </span>
    </li>
  );
}

const HandedOver = ({ reason }: { reason: string | null }) =>
  reason === null ? (
    'Handed over to a person'
  ) : (
    <>
      Handed over: <q>{visible(reason)}</q>
    </>
  );
