import type { Conversation } from '@agent-control-plane/sdk';
import { Link } from '@tanstack/react-router';
import { useRead } from '../queries.ts';
import { holderOf } from '../rules/holder.ts';
import { senderName } from '../rules/speaker.ts';
import type { Sign } from '../rules/status.ts';
import { visible } from '../rules/visible-text.ts';
import { ShapeMark } from '../ui/status.tsx';
import { Time } from '../ui/time.tsx';
import style from './conversations.module.css';

interface RowProps {
  of: Conversation;
  isChosen: boolean;
  isFailed: boolean;
}

export function ConversationRow({ of: conversation, isChosen, isFailed }: RowProps) {
  const { data: me } = useRead('get_me', {});
  const { id, waiting_since, last_message_at, unanswered, hostname } = conversation;
  const mark = isFailed ? FAILED : markOf(conversation, me?.user.id);
  return (
    <Link
      to="/conversations/$conversation_id"
      params={{ conversation_id: id }}
      search={(old) => old}
      className={style.row}
      aria-current={isChosen ? 'true' : undefined}
      activeProps={{ 'aria-current': 'true' }}
      data-row
    >
      <span className={style.mark}>
        {mark && (
          <>
            <ShapeMark shape={mark.shape} tone={mark.tone} size={9} />
            <span className="vh">{mark.word}. </span>
          </>
        )}
      </span>
      <span className={`one ${style.name}`}>{senderName(conversation)}</span>
      <span className={`hint ${style.time}`}>
        <Time at={waiting_since ?? last_message_at} />
      </span>
      <Snippet of={conversation} />
      {unanswered > 0 && (
        <span className={style.count}>
          {unanswered}
          <span className="vh"> unanswered</span>
        </span>
      )}
      <span className={`hint one ${style.agent}`}>{visible(hostname)}</span>
    </Link>
  );
}

const FAILED: Sign = { word: 'An answer failed', shape: 'triangle', tone: 'bad' };

function markOf(conversation: Conversation, my_id: string | undefined): Sign | undefined {
  const { is } = holderOf(conversation, my_id);
  if (is === 'you') return { word: 'You answer', shape: 'disc', tone: 'act' };
  if (is === 'agent') return undefined;
  if (conversation.unanswered > 0 || is === 'nobody')
    return { word: 'Waits for a person', shape: 'diamond', tone: 'wait' };
  return { word: 'A colleague answers', shape: 'disc', tone: 'off' };
}

const AUTHORS = { agent: 'Agent', person: 'We', system: '', sender: '' };

function Snippet({ of: { last_message, unanswered } }: { of: Conversation }) {
  if (last_message === null) return <span className={`one ${style.said}`}>Nothing was said yet</span>;
  const { author, text } = last_message;
  return (
    <span className={`one ${style.said} ${unanswered > 0 ? style.unread : ''}`}>
      {AUTHORS[author] && <b>{AUTHORS[author]} </b>}
      {text === null || text === '' ? <i>without words</i> : visible(text.slice(0, 160))}
    </span>
  );
}
