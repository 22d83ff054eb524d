import { useState } from 'react';
import { Playground } from '../forms/playground.tsx';
import { useRead } from '../queries.ts';
import { SUGGESTIONS } from '../rules/first-run.ts';
import { visible } from '../rules/visible-text.ts';
import { Status } from '../ui/status.tsx';
import { filesOf } from './conversation-media.tsx';
import style from './first-talk.module.css';

interface FirstTalkProps {
  instance_id: string;
  /** Somebody whom the agent knows. */
  identity_id: string;
}

/** The first agent, to talk to as somebody it knows or as a stranger. */
export function FirstTalk({ instance_id, identity_id }: FirstTalkProps) {
  const [isStranger, setStranger] = useState(false);
  const [conversation_id, setConversation] = useState<string>();
  const { data: instance } = useRead('get_instance', { path: { instance_id } });
  const change = () => {
    setStranger(!isStranger);
    setConversation(undefined);
  };
  return (
    <Playground
      filesOf={filesOf}
      key={String(isStranger)}
      instance_id={instance_id}
      identity_id={isStranger ? undefined : identity_id}
      conversation_id={conversation_id}
      onBegin={setConversation}
      suggestions={SUGGESTIONS}
      header={
        <header className={style.head}>
          <div>
            <h2 className="one">{visible(instance?.hostname ?? '')}</h2>
            <p className="hint">
              You write as {isStranger ? 'a stranger' : 'You, whom it knows'}.{' '}
              <button type="button" className="link" onClick={change}>
                {isStranger ? 'As You' : 'As a stranger'}
              </button>
            </p>
          </div>
          {instance && <Status of="instance" is={instance.status} />}
        </header>
      }
    />
  );
}
