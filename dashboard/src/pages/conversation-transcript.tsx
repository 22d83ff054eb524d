import type { Approval, Conversation, Message } from '@agent-control-plane/sdk';
import { type ReactNode, useMemo, useRef } from 'react';
import { useRead, useReadOn } from '../queries.ts';
import { dayName } from '../rules/time.ts';
import { linesOf } from '../rules/transcript.ts';
import { Button } from '../ui/button.tsx';
import { useFollowEnd } from '../ui/follow-end.ts';
import { Empty, Failed, Skeleton } from '../ui/notice.tsx';
import { SCROLLS_BY_KEYS } from '../ui/scrolls.ts';
import { ApprovalLine } from './conversation-approval.tsx';
import { MessageLine, TurnLine } from './conversation-message.tsx';
import style from './transcript.module.css';

interface TranscriptProps {
  conversation_id: string;
  conversation: Conversation | undefined;
}

export function Transcript({ conversation_id, conversation }: TranscriptProps) {
  const list = useReadOn('list_messages', { path: { conversation_id }, query: { per_page: 50 } });
  const { data: asked } = useRead('list_approvals', { query: { conversation_id, per_page: 100 } });
  const messages = useMemo(
    () => (list.data?.pages ?? []).toReversed().flatMap(({ items }) => items),
    [list.data],
  );
  if (list.data === undefined || conversation === undefined)
    return (
      <div className={style.scroll}>
        {list.error ? <Failed error={list.error} retry={() => void list.refetch()} /> : <Skeleton />}
      </div>
    );
  return (
    <Lines
      conversation={conversation}
      messages={messages}
      approvals={asked?.items ?? []}
      failure={list.error}
      older={
        list.hasNextPage && (
          <Button small pending={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Older messages
          </Button>
        )
      }
    />
  );
}

interface LinesProps {
  conversation: Conversation;
  messages: readonly Message[];
  approvals: readonly Approval[];
  failure: Error | null;
  older: ReactNode;
}

function Lines({ conversation, messages, approvals, failure, older }: LinesProps) {
  const box = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => linesOf(messages, approvals), [messages, approvals]);
  const { isBehind, toEnd } = useFollowEnd(box, { first: messages[0]?.id, last: lines.at(-1)?.key });
  return (
    <div className={style.frame}>
      <div ref={box} className={style.scroll} role="log" aria-label="Messages" {...SCROLLS_BY_KEYS}>
        <div className={style.inner}>
          {older && <p className={style.older}>{older}</p>}
          {failure && <Failed error={failure} />}
          {lines.length === 0 && <Empty>Nothing is kept of what was said here.</Empty>}
          <ol className={style.lines}>
            {lines.map((line) => {
              if (line.is === 'day')
                return (
                  <li key={line.key} className={style.day}>
                    <span>{dayName(line.at)}</span>
                  </li>
                );
              if (line.is === 'approval') return <ApprovalLine key={line.key} of={line.approval} />;
              if (line.is === 'turn') return <TurnLine key={line.key} of={line.message} />;
              return (
                <MessageLine
                  key={line.key}
                  of={line.message}
                  conversation={conversation}
                  messages={messages}
                />
              );
            })}
          </ol>
        </div>
      </div>
      {isBehind && (
        <p className={style.fresh}>
          <Button small icon="down" onClick={toEnd}>
            New below
          </Button>
        </p>
      )}
    </div>
  );
}
