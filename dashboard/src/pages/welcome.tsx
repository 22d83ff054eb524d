import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Done, makeFirstAgent, type Running } from '../forms/first-agent.ts';
import { FirstAgentForm, type FirstChoice } from '../forms/first-agent-form.tsx';
import { queryClient, useRead } from '../queries.ts';
import { templatesOf } from '../rules/first-run.ts';
import { took } from '../rules/time.ts';
import { Answered } from '../ui/answered.tsx';
import { Page } from '../ui/page.tsx';
import { ShapeMark, Signed } from '../ui/status.tsx';
import { FirstTalk } from './first-talk.tsx';
import style from './welcome.module.css';

/** The first run: one form, all filled, and a chat beside it. From the link to an answer it takes two clicks. */
export function Welcome({ onSkip }: { onSkip: () => void }) {
  const recipes = useRead('list_recipes', { query: {} });
  const { data: me } = useRead('get_me', {});
  const [done, setDone] = useState<readonly Done[]>([]);
  const [running, setRunning] = useState<Running>();
  const make = async (choice: FirstChoice) => {
    setDone([]);
    const email = me?.user.email ?? 'me@example.com';
    setRunning(await makeFirstAgent({ ...choice, email }, (one) => setDone((all) => [...all, one])));
    await queryClient.invalidateQueries({ queryKey: ['list_instances'] });
  };
  return (
    <Page
      title="Your first agent"
      sub={
        <span>
          Everything here is an ordinary operation, and can be undone.{' '}
          <button type="button" className="link" onClick={onSkip}>
            {running ? 'Go to the overview' : 'Skip to an empty overview'}
          </button>
        </span>
      }
    >
      <div className={style.two}>
        <div>
          <Answered of={recipes}>
            {(items) => (
              <FirstAgentForm
                templates={templatesOf(items)}
                hasModel={me?.capabilities.language_model ?? false}
                onMake={make}
                isMade={running !== undefined}
              />
            )}
          </Answered>
          {done.length > 0 && <Steps done={done} isRunning={running !== undefined} />}
          {running && <Next />}
        </div>
        <div className={style.talk}>
          {running ? (
            <FirstTalk instance_id={running.instance_id} identity_id={running.identity_id} />
          ) : (
            <div className={style.empty}>
              <p>Your agent answers here.</p>
              <p className="hint">It takes about two seconds to start.</p>
            </div>
          )}
        </div>
      </div>
    </Page>
  );
}

function Steps({ done, isRunning }: { done: readonly Done[]; isRunning: boolean }) {
  const total = done.reduce((sum, { ms }) => sum + ms, 0);
  return (
    <section className={style.done} aria-label="What was done">
      <h2>
        {isRunning ? (
          <Signed sign={{ word: '', shape: 'disc', tone: 'good' }}>Running after {took(total)}</Signed>
        ) : (
          <Signed sign={{ word: '', shape: 'arc', tone: 'act' }}>Under way</Signed>
        )}
      </h2>
      <ul>
        {done.map(({ what, operation, ms }) => (
          <li key={operation}>
            <ShapeMark shape="check" tone="good" />
            <span className="one">{what}</span>
            <span className={`hint mono ${style.operation}`}>{operation}</span>
            <span className="mono muted num">{took(ms)}</span>
          </li>
        ))}
      </ul>
      <details>
        <summary className="hint">The same in a terminal</summary>
        <pre className="mono">{done.map(({ command }) => command).join('\n')}</pre>
      </details>
    </section>
  );
}

const Next = () => (
  <section className={style.next} aria-label="What comes next">
    <h2>What comes next</h2>
    <ul className="prose">
      <li>
        <Link to="/settings/me">Set a password</Link>, because the link that you came by opens once.
      </li>
      <li>
        <Link to="/channels">Connect a number</Link>, so that people reach it from their phones.
      </li>
      <li>
        <Link to="/settings/models">Connect a language model</Link>, and it talks freely.
      </li>
      <li>
        <Link to="/settings/users">Invite a colleague</Link>, or <Link to="/customers">add people</Link>.
      </li>
    </ul>
  </section>
);
