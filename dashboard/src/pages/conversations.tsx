import { Outlet, useParams } from '@tanstack/react-router';
import { Title } from '../ui/page.tsx';
import { ConversationList } from './conversation-list.tsx';
import style from './conversations.module.css';

/** Three panes: the list, the transcript, and what is known about it. On a phone each is a page. */
export function Inbox() {
  const { conversation_id } = useParams({ strict: false });
  return (
    <div className={`${style.inbox} ${conversation_id === undefined ? '' : style.open}`}>
      <section className={style.list} aria-label="Conversations">
        <header>{conversation_id === undefined ? <Title>Inbox</Title> : <h2>Inbox</h2>}</header>
        <ConversationList chosen={conversation_id} />
      </section>
      {conversation_id === undefined ? <NoneChosen /> : <Outlet />}
    </div>
  );
}

const NoneChosen = () => (
  <div className={style.none}>
    <p className="hint">
      Choose a conversation to read and answer it. <kbd>j</kbd> and <kbd>k</kbd> move in the list,{' '}
      <kbd>↵</kbd> opens.
    </p>
  </div>
);
