import { create_event_endpoint as facts } from '@agent-control-plane/fields';
import type { EventEndpoint, EventEndpointWithSecret, WantedEvent } from '@agent-control-plane/sdk';
import { useState } from 'react';
import { useWrite } from '../queries.ts';
import { boundsOf } from '../rules/bounds.ts';
import { EVENT_KINDS, eventWords } from '../rules/event-kinds.ts';
import { Check, type Choice, SelectField, TextField } from '../ui/field.tsx';
import { textOf, textOrNull, useFault } from '../ui/form.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { say } from '../ui/toast.tsx';
import style from './event-endpoint.module.css';

const FORMATS = ['standard', 'slack', 'teams'] as const;
const FORMAT_CHOICES: readonly Choice[] = [
  ['standard', 'a program: signed, with ids'],
  ['slack', 'a channel of Slack: a sentence with a link'],
  ['teams', 'a channel of Teams: a card with a link'],
];

interface Props {
  /** The one to change; a new one without. */
  of: EventEndpoint | undefined;
  onMade: (made: EventEndpointWithSecret) => void;
  onClose: () => void;
}

export function EventEndpointForm({ of, onMade, onClose }: Props) {
  const create = useWrite('create_event_endpoint');
  const update = useWrite('update_event_endpoint');
  const save = async (values: FormData) => {
    const url = textOf(values, 'url').trim();
    const chosen = values.getAll('events').map(String) as WantedEvent[];
    const events: WantedEvent[] = textOf(values, 'which') === 'all' ? ['*'] : chosen;
    const format = FORMATS.find((each) => each === textOf(values, 'format')) ?? FORMATS[0];
    const settings = { events, format, description: textOrNull(values, 'description') };
    if (!of) return onMade(await create.run({ body: { url, ...settings } }));
    await update.run({ path: { event_endpoint_id: of.id }, body: { ...settings, ...(url && { url }) } });
    say('The event endpoint is changed.');
    return onClose();
  };
  return (
    <FormDialog
      title={of ? 'Change who is told of events' : 'Tell somebody of events'}
      action={of ? 'Save' : 'Send events there'}
      onSave={save}
      onClose={onClose}
    >
      <SelectField name="format" label="For" choices={FORMAT_CHOICES} defaultValue={of?.format} />
      <TextField
        name="url"
        label="Address"
        type="url"
        placeholder="https://example.com/events"
        hint={
          of ? `Now ${of.url ?? 'unreadable'}. Empty: it stays.` : 'https, at a public address; encrypted'
        }
        {...boundsOf({ ...facts.url, required: !of })}
      />
      <TextField
        name="description"
        label="What it is for"
        optional
        defaultValue={of?.description ?? undefined}
        {...boundsOf(facts.description)}
      />
      <Kinds of={of?.events ?? ['*']} />
    </FormDialog>
  );
}

function Kinds({ of }: { of: readonly string[] }) {
  const [isAll, setAll] = useState(of.includes('*'));
  const fault = useFault('events');
  return (
    <fieldset className={style.kinds}>
      <legend>Told when</legend>
      <Check kind="radio" name="which" value="all" checked={isAll} onChange={() => setAll(true)}>
        anything happens, also of kinds to come
      </Check>
      <Check kind="radio" name="which" value="some" checked={!isAll} onChange={() => setAll(false)}>
        one of these happens
      </Check>
      {!isAll && (
        <div className={style.list}>
          {EVENT_KINDS.map((kind) => (
            <Check key={kind} name="events" value={kind} defaultChecked={of.includes(kind)}>
              {eventWords(kind)}
            </Check>
          ))}
        </div>
      )}
      {fault !== undefined && (
        <p className="bad" role="alert">
          {fault}
        </p>
      )}
    </fieldset>
  );
}
