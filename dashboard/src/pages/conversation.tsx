import type { Conversation } from '@agent-control-plane/sdk';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../queries.ts';
import { agentPath } from '../rules/names.ts';
import { senderName } from '../rules/speaker.ts';
import { visible } from '../rules/visible-text.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Failed } from '../ui/notice.tsx';
import { Title } from '../ui/page.tsx';
import { About } from './conversation-about.tsx';
import { Composer } from './conversation-composer.tsx';
import { Transcript } from './conversation-transcript.tsx';
import style from './conversations.module.css';

/** A key, so that nothing of one conversation, least of all a draft, is shown in another. */
export function ConversationPane() {
  const { conversation_id } = useParams({ from: '/inside/conversations/$conversation_id' });
  return <OneConversation key={conversation_id} conversation_id={conversation_id} />;
}

function OneConversation({ conversation_id }: { conversation_id: string }) {
  const { data: conversation, error, refetch } = useRead('get_conversation', { path: { conversation_id } });
  return (
    <>
      <section className={style.thread} aria-label="Conversation" data-whole>
        <ThreadHead conversation={conversation} />
        {conversation === undefined && error ? (
          <div className={style.gone}>
            <Failed error={error} retry={() => void refetch()} />
          </div>
        ) : (
          <Transcript conversation_id={conversation_id} conversation={conversation} />
        )}
        {conversation && <Composer conversation={conversation} />}
      </section>
      {conversation && (
        <aside className={style.about} aria-label="About this conversation">
          <About conversation={conversation} />
        </aside>
      )}
    </>
  );
}

function ThreadHead({ conversation }: { conversation: Conversation | undefined }) {
  const [isAbout, setAbout] = useState(false);
  return (
    <header className={style.head}>
      <ButtonLink
        to="/conversations"
        search={(old) => old}
        look="plain"
        small
        icon="back"
        aria-label="Back to the list"
        className={style.back}
      />
      <div className={style.who}>
        <Title>{conversation ? senderName(conversation) : 'Conversation'}</Title>
        {conversation && <Where of={conversation} />}
      </div>
      <Button small className={style.more} onClick={() => setAbout(true)} aria-haspopup="dialog">
        About
      </Button>
      {isAbout && conversation && (
        <Dialog title="About this conversation" onClose={() => setAbout(false)}>
          <About conversation={conversation} />
        </Dialog>
      )}
    </header>
  );
}

const CHANNELS: Record<string, string> = { chatapp: 'chat app', playground: 'playground' };

const Where = ({ of: { customer_name, hostname, instance_id, channel, kind } }: { of: Conversation }) => (
  <p className="hint one">
    {customer_name && `${visible(customer_name)} · `}
    <Link to={agentPath(instance_id)} className={style.quiet}>
      {visible(hostname)}
    </Link>
    {` · ${CHANNELS[channel] ?? channel}${kind === 'group' ? ', a group' : ''}`}
  </p>
);
