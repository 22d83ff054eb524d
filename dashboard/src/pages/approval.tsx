import type { Approval } from '@agent-control-plane/sdk';
import { Link, useParams } from '@tanstack/react-router';
import { DecideForm } from '../forms/approval-decide.tsx';
import { useRead } from '../queries.ts';
import { agentPath } from '../rules/names.ts';
import { senderName, speakerOf } from '../rules/speaker.ts';
import { dayAndClock } from '../rules/time.ts';
import { visible } from '../rules/visible-text.ts';
import { Answered } from '../ui/answered.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Said } from '../ui/said.tsx';
import { Status } from '../ui/status.tsx';
import { Time } from '../ui/time.tsx';
import { ApprovalCall, ApprovalOutcome } from './approval-content.tsx';
import style from './approvals.module.css';

export function ApprovalPane() {
  const { approval_id } = useParams({ from: '/inside/approvals/$approval_id' });
  return <OneApproval key={approval_id} approval_id={approval_id} />;
}

function OneApproval({ approval_id }: { approval_id: string }) {
  const approval = useRead('get_approval', { path: { approval_id } });
  return (
    <div className={style.pane}>
      <p className={style.back}>
        <ButtonLink to="/approvals" search={(old) => old} look="plain" small icon="back">
          All approvals
        </ButtonLink>
      </p>
      <Answered of={approval}>{(found) => <Card of={found} />}</Answered>
    </div>
  );
}

const Card = ({ of }: { of: Approval }) => (
  <article className={style.card} aria-label={of.tool}>
    <header>
      <div>
        <h2 className="mono">{visible(of.tool)}</h2>
        <Asked of={of} />
      </div>
      {of.status === 'waiting' ? (
        <span className={`wait ${style.left}`}>
          <Time at={of.expires_at} as="left" />
        </span>
      ) : (
        <Status of="approval" is={of.status} />
      )}
    </header>
    <section>
      <h3>With these arguments</h3>
      <ApprovalCall of={of} />
    </section>
    {of.status !== 'waiting' && (
      <section>
        <h3>What came of it</h3>
        <ApprovalOutcome of={of} />
      </section>
    )}
    {of.conversation_id !== null && <Before conversation_id={of.conversation_id} at={of.requested_at} />}
    <Rule of={of} />
    {of.status === 'waiting' && (
      <footer>
        <DecideForm of={of} isMain />
      </footer>
    )}
  </article>
);

function Asked({ of: { hostname, instance_id, requested_at, conversation_id } }: { of: Approval }) {
  const { data: conversation } = useRead(
    'get_conversation',
    { path: { conversation_id: conversation_id ?? '' } },
    { enabled: conversation_id !== null },
  );
  return (
    <p className="hint">
      <Link to={agentPath(instance_id)} className="link">
        {visible(hostname)}
      </Link>{' '}
      asked {dayAndClock(requested_at)}
      {conversation && ` for ${senderName(conversation)}`}
    </p>
  );
}

const SHOWN = 4;

/** The last words before the agent asked. */
function Before({ conversation_id, at }: { conversation_id: string; at: string }) {
  const path = { conversation_id };
  const { data: me } = useRead('get_me', {});
  const { data: conversation } = useRead('get_conversation', { path });
  const messages = useRead('list_messages', { path, query: { per_page: 50 } });
  return (
    <section>
      <h3>What was said before</h3>
      <Answered of={messages}>
        {({ items }) => {
          const before = items.filter((each) => each.at <= at && each.text !== null).slice(-SHOWN);
          if (before.length === 0) return <p className="hint">Nothing of it is kept, or it is far back.</p>;
          return (
            <ul className={style.said}>
              {before.map((message) => (
                <li key={message.id}>
                  <b>{conversation && speakerOf(message, conversation, me?.user.id)}</b>
                  <Said text={message.text ?? ''} />
                </li>
              ))}
            </ul>
          );
        }}
      </Answered>
      <Link to="/conversations/$conversation_id" params={path} className={`link ${style.whole}`}>
        The whole conversation
      </Link>
    </section>
  );
}

function Rule({ of: { rule, instance_id } }: { of: Approval }) {
  const { data: instance } = useRead('get_instance', { path: { instance_id } });
  return (
    <section className="hint">
      {rule ? (
        <>
          Because of <span className={`mono ${style.rule}`}>{visible(rule.tool)}</span> in{' '}
          {instance ? visible(instance.recipe_name ?? instance.template_name) : 'the recipe'}{' '}
          <span className={`mono ${style.rule}`}>r{rule.recipe_revision}</span>: a person within{' '}
          {minutes(rule.expires_minutes)}.
        </>
      ) : (
        'Because of an approval rule of its recipe.'
      )}{' '}
      The call is made once, at once, by the control plane.
    </section>
  );
}

const minutes = (n: number) =>
  n >= 120 && n % 60 === 0 ? `${n / 60} hours` : n === 1 ? 'a minute' : `${n} minutes`;
