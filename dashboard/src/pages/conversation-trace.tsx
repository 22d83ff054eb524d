import type { Message } from '@agent-control-plane/sdk';
import { useState } from 'react';
import { useRead } from '../queries.ts';
import { costWords } from '../rules/money.ts';
import { took } from '../rules/time.ts';
import { type Step, spentOf, type Trace, traceOf } from '../rules/trace.ts';
import { type Turn, turnOf } from '../rules/transcript.ts';
import { visible } from '../rules/visible-text.ts';
import { count, plural } from '../rules/words.ts';
import { Answered } from '../ui/answered.tsx';
import { Icon } from '../ui/icon.tsx';
import { Span } from '../ui/span.tsx';
import style from './trace.module.css';
import transcript from './transcript.module.css';

interface TraceProps {
  answer: Message;
  messages: readonly Message[];
}

/** How an answer came about: read when it is opened. */
export function TraceOf({ answer, messages }: TraceProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={transcript.call} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <Icon name="usage" size={13} />
        {summaryOf(answer)}
      </summary>
      {isOpen && (
        <div className={transcript.opened}>
          <Opened answer={answer} turn={turnOf(messages, answer)} />
        </div>
      )}
    </details>
  );
}

function summaryOf({ usage }: Message): string {
  if (usage === null) return 'How it came about';
  const tokens = (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0);
  return [usage.model && visible(usage.model), tokens > 0 && plural(tokens, 'token')]
    .filter(Boolean)
    .join(' · ');
}

function Opened({ answer, turn }: { answer: Message; turn: Turn }) {
  const calls = useRead('list_model_calls', {
    path: { conversation_id: answer.conversation_id },
    query: { from: turn.from, to: turn.to, per_page: 100 },
  });
  return (
    <Answered of={calls}>
      {({ items }) => {
        const trace = traceOf(turn, items, answer.tool_calls);
        const spent = spentOf(items);
        return (
          <div className={style.trace}>
            <p className="hint">
              {turn.asked.length === 0
                ? 'Nobody asked for it: a trigger, an outcome or the agent itself began it.'
                : `${took(trace.ms)} after ${turn.asked.length === 1 ? 'the message' : `the first of ${turn.asked.length} messages`} that it answers.`}
            </p>
            <Steps of={trace} />
            {items.length > 0 ? (
              <p className="num">
                {count(spent.input_tokens)} tokens in
                {spent.cached_input_tokens > 0 && ` (${count(spent.cached_input_tokens)} cached)`},{' '}
                {count(spent.output_tokens)} out · {costWords(spent.cost, spent.unpriced)}
              </p>
            ) : (
              <p className="hint">
                No call of a model is kept: a command needs none, and calls go after 90 days.
              </p>
            )}
            {items.length > 0 && (
              <p className="hint">
                The model was sent the recipe’s prompt, its tools and the messages above. Its requests are not
                kept beside them.
              </p>
            )}
          </div>
        );
      }}
    </Answered>
  );
}

const Steps = ({ of: { ms, steps, waited } }: { of: Trace }) =>
  steps.length === 0 ? null : (
    <ol className={style.steps}>
      {waited > 0 && (
        <li>
          <span className="hint">Waited, or gathered what else was written</span>
          <Span from={0} to={waited} of={ms} tone="quiet" />
          <span className={`num ${style.took}`}>{took(waited)}</span>
        </li>
      )}
      {steps.map((step) => (
        <li key={step.key}>
          <StepName of={step} />
          <Span from={step.begins} to={step.ends} of={ms} tone={toneOf(step)} />
          <span className={`num ${style.took}`}>{took(step.ends - step.begins)}</span>
        </li>
      ))}
    </ol>
  );

const toneOf = ({ is, call }: Step) => {
  if (is === 'tool') return call.error === undefined ? 'second' : 'bad';
  return call.status === 'ok' || call.status === 'running' ? 'first' : 'bad';
};

function StepName({ of: step }: { of: Step }) {
  if (step.is === 'tool') return <span className="mono">{visible(step.call.name)}</span>;
  const { model, asked_model, status, input_tokens, output_tokens, estimated, cost, audio_seconds } =
    step.call;
  const detail = [
    asked_model !== model && `instead of ${asked_model}`,
    status === 'failed' && 'failed',
    status === 'aborted' && 'broken off',
    status === 'running' && 'under way',
    audio_seconds > 0
      ? `${audio_seconds.toFixed(0)} s of sound`
      : `${count(input_tokens)} in, ${count(output_tokens)} out${estimated ? ', estimated' : ''}`,
    cost !== null && costWords(cost),
  ].filter(Boolean);
  return (
    <span>
      <span className="mono">{visible(model)}</span> <span className="hint num">{detail.join(' · ')}</span>
    </span>
  );
}
