import type { Conversation } from '@agent-control-plane/sdk';
import { useState } from 'react';
import { AnswerForm } from '../forms/answer.tsx';
import { TemplateForm } from '../forms/template.tsx';
import { useRead } from '../queries.ts';
import { holderOf, isOver } from '../rules/holder.ts';
import { senderName } from '../rules/speaker.ts';
import { useNow } from '../ui/time.tsx';
import style from './composer.module.css';
import { HolderLine } from './conversation-holder.tsx';

/** Whoever answers, always; below it a way to do so while a person does. */
export function Composer({ conversation }: { conversation: Conversation }) {
  const { data: me } = useRead('get_me', {});
  const now = useNow();
  const [prefersTemplate, setPrefersTemplate] = useState(false);
  const [isTaken, setTaken] = useState(false);
  const holder = holderOf(conversation, me?.user.id);
  const isEnded = isOver(conversation.reply_until, now);
  const hasTemplates = conversation.reply_until !== null;
  return (
    <footer className={style.composer}>
      <HolderLine conversation={conversation} holder={holder} onTake={() => setTaken(true)} />
      {holder.is === 'agent' ? null : isEnded || (hasTemplates && prefersTemplate) ? (
        <TemplateForm
          conversation={conversation}
          onBack={isEnded ? undefined : () => setPrefersTemplate(false)}
        />
      ) : (
        <AnswerForm
          conversation_id={conversation.id}
          to={senderName(conversation)}
          focuses={isTaken}
          onTemplate={hasTemplates ? () => setPrefersTemplate(true) : undefined}
        />
      )}
    </footer>
  );
}
