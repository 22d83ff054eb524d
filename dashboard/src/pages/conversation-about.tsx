import type { Conversation } from '@agent-control-plane/sdk';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useRead, useWrite } from '../queries.ts';
import { costWords } from '../rules/money.ts';
import { agentPath } from '../rules/names.ts';
import { addressWords, senderName } from '../rules/speaker.ts';
import { day, full } from '../rules/time.ts';
import { visible } from '../rules/visible-text.ts';
import { plural } from '../rules/words.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Facts } from '../ui/panel.tsx';
import { Signed } from '../ui/status.tsx';
import { say } from '../ui/toast.tsx';
import { Values } from '../ui/values.tsx';
import style from './conversations.module.css';

export const About = ({ conversation }: { conversation: Conversation }) => (
  <div className={style.facts}>
    <Sender of={conversation} />
    <Agent of={conversation} />
    {Object.keys(conversation.attributes).length > 0 && (
      <Part title="Noted by the agent">
        <Values of={conversation.attributes} />
      </Part>
    )}
    <Kept of={conversation} />
  </div>
);

const Part = ({ title, children }: { title: ReactNode; children: ReactNode }) => (
  <section>
    <h2 className={style.fact}>{title}</h2>
    {children}
  </section>
);

function Sender({ of }: { of: Conversation }) {
  const { data: me } = useRead('get_me', {});
  const { customer_id, customer_name, addresses, external_id, kind } = of;
  const all = addresses.length > 0 ? addresses : [external_id];
  return (
    <Part title={kind === 'group' ? `${senderName(of)}, a group` : senderName(of)}>
      <Facts
        of={[
          [
            all.length === 1 ? 'Address' : 'Addresses',
            <span key="addresses" className={`mono ${style.addresses}`}>
              {all.map((address) => (
                <span key={address}>{addressWords(address)}</span>
              ))}
            </span>,
          ],
          ['Known as', <Known key="known" of={of} />],
          [
            'Customer',
            me?.role === 'admin' ? (
              <Link
                key="customer"
                to="/customers/$customer_id/overview"
                params={{ customer_id }}
                className="link"
              >
                {visible(customer_name ?? 'Without a name')}
              </Link>
            ) : (
              customer_name && visible(customer_name)
            ),
          ],
        ]}
      />
    </Part>
  );
}

function Known({ of: { identity_id, person_id, person_name, kind } }: { of: Conversation }) {
  if (kind === 'group') return 'several people';
  if (person_id !== null)
    return (
      <Signed sign={{ word: '', shape: 'check', tone: 'good' }}>
        {person_name === null ? 'one of the staff' : `${visible(person_name)}, staff`}
      </Signed>
    );
  if (identity_id !== null)
    return <Signed sign={{ word: 'known to the customer', shape: 'check', tone: 'good' }} />;
  return 'a stranger';
}

function Agent({ of: { id, instance_id, hostname, created_at } }: { of: Conversation }) {
  const { data: instance } = useRead('get_instance', { path: { instance_id } });
  const query = {
    conversation_id: id,
    from: created_at.slice(0, 10),
    to: new Date().toISOString().slice(0, 10),
  };
  const { data: usage } = useRead('get_usage', { query });
  return (
    <Part title="Agent">
      <Facts
        of={[
          [
            'Runs as',
            <Link key="runs" to={agentPath(instance_id)} className="link">
              {visible(hostname)}
            </Link>,
          ],
          instance && [
            'Recipe',
            <span key="recipe">
              {visible(instance.recipe_name ?? instance.template_name)}{' '}
              <span className="mono">r{instance.recipe_revision}</span>
            </span>,
          ],
          usage && [
            'Cost here',
            <span key="cost" className="num">
              {usage.total.calls === 0
                ? 'no model was called'
                : `${costWords(usage.total.cost, usage.total.unpriced_calls)}, ${plural(usage.total.calls, 'call')}`}
            </span>,
          ],
        ]}
      />
    </Part>
  );
}

function Kept({ of }: { of: Conversation }) {
  const [asks, setAsks] = useState(false);
  const navigate = useNavigate();
  const { run } = useWrite('delete_conversation', {
    done: () => {
      say('The conversation is erased.');
      return navigate({ to: '/conversations', search: (old) => old });
    },
  });
  return (
    <Part title="Kept until">
      <p className="hint">
        {of.retention_until === null ? (
          'Nothing that was said is kept.'
        ) : (
          <time dateTime={of.retention_until} title={full(of.retention_until)}>
            {day(of.retention_until)}, as the recipe says.
          </time>
        )}
      </p>
      <p className={style.erase}>
        <Button small look="bad" onClick={() => setAsks(true)}>
          Erase now
        </Button>
      </p>
      {asks && (
        <Confirm
          title={`Erase the conversation with ${senderName(of)}?`}
          action="Erase"
          run={() => run({ path: { conversation_id: of.id } })}
          onClose={() => setAsks(false)}
        >
          All its messages and files go for good, answers that wait are not sent, and the agent forgets it.
          Whoever writes again begins anew.
        </Confirm>
      )}
    </Part>
  );
}
