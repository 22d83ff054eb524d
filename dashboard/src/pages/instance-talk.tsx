import type { InstanceDetail } from '@agent-control-plane/sdk';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Playground } from '../forms/playground.tsx';
import { partsOf, taskWords } from '../rules/task-steps.ts';
import { Answered } from '../ui/answered.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Empty } from '../ui/notice.tsx';
import { Segments } from '../ui/segments.tsx';
import { filesOf } from './conversation-media.tsx';
import style from './instance-talk.module.css';
import { WriteAs } from './instance-write-as.tsx';
import { useInstance, useIsAdmin } from './use-instance.ts';

const route = getRouteApi('/inside/instances/$instance_id/talk');

export function InstanceTalk() {
  const instance = useInstance();
  return (
    <Answered of={instance}>
      {(data) => (data.status === 'running' ? <Talk key={data.id} of={data} /> : <NotYet of={data} />)}
    </Answered>
  );
}

const NotYet = ({ of: { id, status, task } }: { of: InstanceDetail }) => (
  <Empty
    action={
      <ButtonLink to="/instances/$instance_id/timeline" params={{ instance_id: id }}>
        See what it does
      </ButtonLink>
    }
  >
    {status === 'pending' || status === 'provisioning'
      ? 'It starts. You can write as soon as it runs, in about two seconds.'
      : 'It answers while it runs, and it does not run now.'}
    {task && (
      <span className={style.task}>
        <Segments {...partsOf(task)} label={taskWords(task.kind)} />
      </span>
    )}
  </Empty>
);

function Talk({ of }: { of: InstanceDetail }) {
  const { as, conversation } = route.useSearch();
  const navigate = route.useNavigate();
  const isAdmin = useIsAdmin();
  return (
    <div className={style.two}>
      <div className={style.talk}>
        {isAdmin && <WriteAs of={of} chosen={as} />}
        <Playground
          filesOf={filesOf}
          key={as ?? 'stranger'}
          instance_id={of.id}
          identity_id={as}
          conversation_id={conversation}
          onBegin={(id) => void navigate({ search: (old) => ({ ...old, conversation: id }), replace: true })}
        />
      </div>
      <About
        conversation_id={conversation}
        isStranger={as === undefined}
        isShared={of.hosting_mode === 'shared'}
      />
    </div>
  );
}

interface AboutProps {
  conversation_id: string | undefined;
  isStranger: boolean;
  isShared: boolean;
}

const About = ({ conversation_id, isStranger, isShared }: AboutProps) => (
  <aside className={style.about}>
    <h2>It is the real thing</h2>
    <p className="muted">
      What you write takes the way of a message from a phone: the same rules, tools and approvals, the same
      model and its cost. Only the channel is missing, so nobody else hears of it.
    </p>
    <p className="muted">
      {isStranger && isShared && 'It serves several customers, so it has to know who writes, and for whom. '}
      {isStranger
        ? 'A stranger is asked who they are, where the agent wants to know, and sees no data of others.'
        : 'It knows who writes, with their role and their PIN.'}
    </p>
    {conversation_id !== undefined && (
      <p>
        <Link to={conversationPath(conversation_id)} className="link">
          See it in the inbox
        </Link>
        <span className="hint">, with the calls of tools and what it cost.</span>
      </p>
    )}
  </aside>
);

const conversationPath = (id: string): string => `/conversations/${id}`;
