import { useState } from 'react';
import {
  DAYS,
  type Day,
  dayName,
  dayShort,
  hoursWords,
  intervalsOf,
  intervalText,
  OFFICE_HOURS,
  partsOfDay,
  readIntervals,
} from '../rules/opening-hours.ts';
import { isObject } from '../rules/recipe-patch.ts';
import { Button } from '../ui/button.tsx';
import field from '../ui/field.module.css';
import { FormGroup } from '../ui/form-row.tsx';
import type { Draft } from './recipe-draft.ts';
import style from './recipe-form.module.css';
import { AreaRow } from './recipe-rows.tsx';

const HOURS = ['channel_config', 'business_hours'] as const;

/** When the agent answers, and what is said first and outside of its hours. */
export function RecipeHours({ draft }: { draft: Draft }) {
  const hours = draft.at(...HOURS);
  return (
    <>
      <AreaRow
        draft={draft}
        path={['channel_config', 'greeting']}
        label="Greeting"
        hint="To those who write for the first time"
        rows={2}
      />
      <FormGroup
        name="channel_config"
        label="Hours"
        hint="When it answers"
        changed={draft.isChanged(...HOURS)}
      >
        {hours === undefined ? (
          <div className={style.line}>
            <Button small onClick={() => draft.set(HOURS, OFFICE_HOURS)}>
              Set hours
            </Button>
            <span className="hint">It answers at all times.</span>
          </div>
        ) : (
          <>
            <ul className={style.hours}>
              {DAYS.map((day) => (
                <DayHours key={`${day} ${draft.epoch}`} draft={draft} day={day} />
              ))}
            </ul>
            <p className="hint">{hoursWords(hours)}, in the customer’s time zone</p>
            <Button small className={style.add} onClick={() => draft.set(HOURS, undefined)}>
              Answer at all times
            </Button>
          </>
        )}
      </FormGroup>
      {hours !== undefined && (
        <AreaRow
          draft={draft}
          path={['channel_config', 'away_message']}
          label="Away"
          hint="Said outside of the hours"
          rows={2}
        />
      )}
    </>
  );
}

/** The text counts once it says times; until then the hours stay. */
function DayHours({ draft, day }: { draft: Draft; day: Day }) {
  const hours = draft.at(...HOURS);
  const intervals = intervalsOf(hours, day);
  const [text, setText] = useState(() => intervalText(intervals));
  const isRead = readIntervals(text) !== undefined;
  const change = (next: string) => {
    setText(next);
    const read = readIntervals(next);
    // A closed day stays as an empty list: without any day the agent would answer at all times.
    if (read) draft.set(HOURS, { ...(isObject(hours) ? hours : {}), [day]: read });
  };
  return (
    <li>
      <span className="hint">{dayShort(day)}</span>
      <input
        className={field.input}
        aria-label={`Hours of ${dayName(day)}`}
        aria-invalid={!isRead || undefined}
        placeholder="closed"
        value={text}
        onChange={({ target }) => change(target.value)}
        onBlur={() => isRead && setText(intervalText(intervals))}
      />
      <span className={style.bar} aria-hidden="true">
        {partsOfDay(intervals).map(({ from, size }) => (
          <i key={from} style={{ insetInlineStart: `${from * 100}%`, inlineSize: `${size * 100}%` }} />
        ))}
      </span>
    </li>
  );
}
