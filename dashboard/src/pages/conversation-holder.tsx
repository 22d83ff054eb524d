import { ApiError, type Body, type Conversation } from '@agent-control-plane/sdk';
import { useRef } from 'react';
import { useWrite } from '../queries.ts';
import { type Holder, isOver, minutesFor } from '../rules/holder.ts';
import type { Sign } from '../rules/status.ts';
import { dayAndClock } from '../rules/time.ts';
import { visible } from '../rules/visible-text.ts';
import { Button } from '../ui/button.tsx';
import { Failed, Notice } from '../ui/notice.tsx';
import { ShapeMark } from '../ui/status.tsx';
import { useNow } from '../ui/time.tsx';
import style from './composer.module.css';

const MORE_MINUTES = 30;

/** Minutes of a takeover, empty: until a person ends it. */
const SPANS = [
  ['30', 'for 30 minutes'],
  ['120', 'for 2 hours'],
  ['1440', 'for a day'],
  ['', 'until I give it back'],
] as const;

interface HolderProps {
  conversation: Conversation;
  holder: Holder;
  onTake: () => void;
}

type Change = Body<'update_conversation'>;

export function HolderLine({ conversation, holder, onTake }: HolderProps) {
  const { run, pending, error, input } = useWrite('update_conversation');
  const now = useNow();
  const { id: conversation_id, taken_by, human_until } = conversation;
  const change = (body: Change, then?: () => void) =>
    void run({ path: { conversation_id }, body }).then(then, () => undefined);
  const takeOver = (minutes: number | null) =>
    change({ mode: 'human', minutes, expect_taken_by: taken_by?.id ?? null }, onTake);
  /** As long as it is with people already, and half an hour at least. */
  const goOn = () =>
    takeOver(human_until === null ? null : Math.max(MORE_MINUTES, minutesFor(0, human_until, now)));
  const isPending = (mode: Change['mode']) => pending && input?.body.mode === mode;
  return (
    <>
      <TakeoverFailure error={error} />
      <div className={style.holds}>
        <Who holder={holder} />
        {holder.is === 'agent' && <TakeOver pending={pending} onTake={takeOver} />}
        {(holder.is === 'nobody' || holder.is === 'colleague') && (
          <Button small pending={isPending('human')} onClick={goOn}>
            {holder.is === 'nobody' ? 'I answer' : 'Take over'}
          </Button>
        )}
        {holder.is === 'you' && holder.until !== null && (
          <Button
            small
            look="plain"
            pending={isPending('human')}
            onClick={() => change({ mode: 'human', minutes: minutesFor(MORE_MINUTES, holder.until, now) })}
          >
            30 minutes more
          </Button>
        )}
        {holder.is !== 'agent' && (
          <Button small look="plain" pending={isPending('agent')} onClick={() => change({ mode: 'agent' })}>
            Give back
          </Button>
        )}
        <FreeText until={conversation.reply_until} now={now} />
      </div>
    </>
  );
}

interface TakeOverProps {
  pending: boolean;
  onTake: (minutes: number | null) => void;
}

function TakeOver({ pending, onTake }: TakeOverProps) {
  const span = useRef<HTMLSelectElement>(null);
  return (
    <>
      <select ref={span} className={style.span} aria-label="How long you take over">
        {SPANS.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
      <Button
        small
        look="primary"
        pending={pending}
        onClick={() => onTake(Number(span.current?.value) || null)}
      >
        Take over
      </Button>
    </>
  );
}

const SIGNS: Record<Holder['is'], Omit<Sign, 'word'>> = {
  agent: { shape: 'disc', tone: 'good' },
  nobody: { shape: 'diamond', tone: 'wait' },
  you: { shape: 'disc', tone: 'act' },
  colleague: { shape: 'disc', tone: 'off' },
};

function Who({ holder }: { holder: Holder }) {
  const { shape, tone } = SIGNS[holder.is];
  return (
    <p className={style.who} role="status">
      <ShapeMark shape={shape} tone={tone} size={9} />
      <b className={holder.is === 'you' ? 'act' : holder.is === 'nobody' ? 'wait' : undefined}>
        {sentenceOf(holder)}
      </b>
    </p>
  );
}

/** While a person has it, the agent is silent; at the end it goes on by itself. */
function sentenceOf(holder: Holder): string {
  if (holder.is === 'agent') return 'The agent answers.';
  const until = holder.until === null ? '' : ` until ${dayAndClock(holder.until)}`;
  if (holder.is === 'nobody') return 'Nobody answers yet.';
  return holder.is === 'you' ? `You answer${until}.` : `${visible(holder.name)} answers${until}.`;
}

const FreeText = ({ until, now }: { until: string | null; now: number }) =>
  until === null ? null : (
    <span className={`hint num ${style.free}`}>
      {isOver(until, now)
        ? `Free text ended ${dayAndClock(until, now)}`
        : `Free text until ${dayAndClock(until, now)}`}
    </span>
  );

/** The line below is read anew, and tells by then who has it. */
function TakeoverFailure({ error }: { error: unknown }) {
  if (!error) return null;
  if (error instanceof ApiError && error.status === 412)
    return (
      <Notice tone="wait">
        {error.detail}. Below stands who has it now: take it over from them, or leave it to them.
      </Notice>
    );
  return <Failed error={error} />;
}
