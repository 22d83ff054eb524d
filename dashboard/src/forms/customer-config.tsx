import { useState } from 'react';
import { useWrite } from '../queries.ts';
import { objectIn, withFields } from '../rules/objects.ts';
import { DAYS, dayName, intervalsOf, intervalText, readIntervals } from '../rules/opening-hours.ts';
import type { JsonObject } from '../rules/recipe-patch.ts';
import { Button } from '../ui/button.tsx';
import { AreaField, Check, FormFoot, Pair, SelectField, TextField } from '../ui/field.tsx';
import { Form, textOf } from '../ui/form.tsx';
import { say } from '../ui/toast.tsx';
import style from './customer-config.module.css';

const NONE = 'none.';

interface SettingProps {
  name: string;
  label: string;
  hint: string;
  /** Null: taken away from the recipe. Undefined: as the recipe has it. */
  stored: unknown;
}

function TextSetting({ name, label, hint, stored }: SettingProps) {
  const [isNone, setNone] = useState(stored === null);
  return (
    <div className={style.setting}>
      <AreaField
        name={name}
        label={label}
        hint={hint}
        rows={2}
        placeholder={isNone ? 'None' : 'As the recipe has it'}
        disabled={isNone}
        defaultValue={typeof stored === 'string' ? stored : ''}
      />
      <Check name={NONE + name} checked={isNone} onChange={({ target }) => setNone(target.checked)}>
        None, also where the recipe has one
      </Check>
    </div>
  );
}

const textSetting = (values: FormData, name: string) =>
  values.has(NONE + name) ? null : textOf(values, name).trim() || undefined;

const numberSetting = (values: FormData, name: string) => {
  const text = textOf(values, name).trim();
  return text === '' ? undefined : Number(text);
};

type Open = 'recipe' | 'always' | 'own';

const OPEN: readonly (readonly [Open, string])[] = [
  ['recipe', 'As the recipe has them'],
  ['always', 'Always open'],
  ['own', 'By day'],
];

function HoursSetting({ stored }: { stored: unknown }) {
  const [open, setOpen] = useState<string>(
    stored === undefined ? 'recipe' : stored === null ? 'always' : 'own',
  );
  return (
    <div className={style.setting}>
      <SelectField
        name="open"
        label="Business hours"
        hint="Outside of them no message reaches the agent. At opening it gets them together."
        value={open}
        onChange={({ target }) => setOpen(target.value)}
        choices={OPEN}
      />
      {open === 'own' && (
        <div className={style.week}>
          {DAYS.map((day) => (
            <TextField
              key={day}
              name={day}
              label={dayName(day)}
              placeholder="Closed"
              defaultValue={intervalText(intervalsOf(stored, day))}
              onChange={({ target }) =>
                target.setCustomValidity(readIntervals(target.value) ? '' : 'As 09:00–12:00, 13:00–17:00')
              }
            />
          ))}
        </div>
      )}
    </div>
  );
}

function hoursSetting(values: FormData) {
  const open = textOf(values, 'open');
  if (open === 'recipe') return undefined;
  if (open === 'always') return null;
  const days = DAYS.map((day) => [day, readIntervals(textOf(values, day)) ?? []] as const);
  return Object.fromEntries(days.filter(([, intervals]) => intervals.length > 0));
}

interface Props {
  customer_id: string;
  config: JsonObject;
  onSaved: () => void;
}

/** The settings that the control plane itself acts on. All others stay as they are. */
export function CustomerConfigForm({ customer_id, config, onSaved }: Props) {
  const replace = useWrite('replace_customer_config');
  const [channel, compliance] = [objectIn(config, 'channel_config'), objectIn(config, 'compliance_config')];
  const save = async (values: FormData) => {
    const talking = withFields(config, 'channel_config', {
      greeting: textSetting(values, 'greeting'),
      away_message: textSetting(values, 'away_message'),
      business_hours: hoursSetting(values),
      burst_seconds: numberSetting(values, 'burst_seconds'),
      echo_minutes: numberSetting(values, 'echo_minutes'),
    });
    const body = withFields(talking, 'compliance_config', { disclaimer: textSetting(values, 'disclaimer') });
    await replace.run({ path: { customer_id }, body });
    say('The configuration is saved.');
    onSaved();
  };
  return (
    <Form onSave={save} label="Configuration" className={style.form}>
      {(pending) => (
        <>
          <TextSetting
            name="greeting"
            label="Greeting"
            hint="The first message of each conversation."
            stored={channel.greeting}
          />
          <HoursSetting stored={channel.business_hours} />
          <TextSetting
            name="away_message"
            label="When closed"
            hint="Sent once for each closed time."
            stored={channel.away_message}
          />
          <TextSetting
            name="disclaimer"
            label="Disclaimer"
            hint="Below the agent’s first answer."
            stored={compliance.disclaimer}
          />
          <Pauses channel={channel} />
          <FormFoot>
            <Button type="submit" look="primary" pending={pending}>
              Save the configuration
            </Button>
          </FormFoot>
        </>
      )}
    </Form>
  );
}

const Pauses = ({ channel }: { channel: JsonObject }) => (
  <Pair>
    <TextField
      name="burst_seconds"
      label="Wait for more words"
      type="number"
      min={0}
      max={30}
      step="any"
      placeholder="As the recipe has it"
      hint="Seconds of silence after which the agent gets messages as one."
      defaultValue={typeof channel.burst_seconds === 'number' ? channel.burst_seconds : ''}
    />
    <TextField
      name="echo_minutes"
      label="Silence after a colleague"
      type="number"
      min={0}
      max={1440}
      placeholder="As the recipe has it"
      hint="Minutes after somebody answers on the phone itself."
      defaultValue={typeof channel.echo_minutes === 'number' ? channel.echo_minutes : ''}
    />
  </Pair>
);
