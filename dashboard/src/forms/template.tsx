import type { ChannelTemplate, Conversation } from '@agent-control-plane/sdk';
import { type ReactNode, useState } from 'react';
import { useRead, useWrite } from '../queries.ts';
import { filled } from '../rules/template.ts';
import { visible } from '../rules/visible-text.ts';
import { Button } from '../ui/button.tsx';
import { AreaField, FormFoot, Pair, SelectField, TextField } from '../ui/field.tsx';
import { Form, textOf } from '../ui/form.tsx';
import { Failed, Skeleton } from '../ui/notice.tsx';
import { newKey } from './drafts.ts';
import style from './template.module.css';

interface TemplateProps {
  conversation: Conversation;
  /** To free text, while that has not ended. */
  onBack?: (() => void) | undefined;
}

/** The one thing that reaches the sender once free text has ended: words that the channel has approved. */
export function TemplateForm({ conversation, onBack }: TemplateProps) {
  const { run } = useWrite('send_message');
  const [key, setKey] = useState(newKey);
  const send = async (values: FormData) => {
    const template = templateOf(values);
    const path = { conversation_id: conversation.id };
    await run({ path, body: { template, idempotency_key: key } });
    setKey(newKey());
    onBack?.();
  };
  return (
    <Form onSave={send} label="Send a template" className={style.template}>
      {(pending) => (
        <>
          <p className="hint">
            {onBack
              ? 'A template is a text that the channel has approved.'
              : 'So long after the last message the channel takes no free text. A template that it has approved still arrives, and an answer to it opens free text again.'}
          </p>
          <Fields of={conversation} />
          <FormFoot>
            <Button type="submit" look="primary" icon="send" pending={pending}>
              Send template
            </Button>
            {onBack && <Button onClick={onBack}>Back to free text</Button>}
          </FormFoot>
        </>
      )}
    </Form>
  );
}

function templateOf(values: FormData) {
  const [name = '', language = ''] = textOf(values, 'template').split(SEPARATOR);
  return {
    name: name || textOf(values, 'template.name').trim(),
    language: language || textOf(values, 'template.language').trim(),
    parameters: values
      .getAll('template.parameters')
      .flatMap((text) => (typeof text === 'string' ? text.split('\n') : []))
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  };
}

/** Between name and language, which have no spaces. */
const SEPARATOR = ' ';

/** Numbers are read by admins; others write the name, which the one who made it knows. */
function Fields({ of: { instance_id, channel } }: { of: Conversation }): ReactNode {
  const { data: me } = useRead('get_me', {});
  const numbers = useRead(
    'list_channel_endpoints',
    { query: { per_page: 100 } },
    { enabled: me?.role === 'admin' },
  );
  if (me?.role !== 'admin') return <ByHand />;
  if (numbers.data === undefined) return numbers.error ? <ByHand /> : <Skeleton />;
  const number = numbers.data.items.find(
    (each) => each.instance_id === instance_id && each.channel === channel,
  );
  return number ? <Chosen endpoint_id={number.id} /> : <ByHand />;
}

const ByHand = () => (
  <>
    <Pair>
      <TextField name="template.name" label="Template" mono required placeholder="appointment_reminder" />
      <TextField name="template.language" label="Language" mono required defaultValue="en" />
    </Pair>
    <AreaField name="template.parameters" label="Texts of its places, one a line" optional rows={2} />
  </>
);

function Chosen({ endpoint_id }: { endpoint_id: string }) {
  const { data, error, refetch } = useRead('list_channel_templates', { path: { endpoint_id } });
  const [named, setNamed] = useState<string>();
  if (data === undefined)
    return error ? <FailedList error={error} retry={() => void refetch()} /> : <Skeleton />;
  const approved = data.items.filter(({ status }) => status === 'APPROVED');
  const chosen = approved.find((each) => keyOf(each) === named) ?? approved[0];
  if (chosen === undefined)
    return (
      <>
        <p className="hint">The channel lists no approved template for this number.</p>
        <ByHand />
      </>
    );
  return (
    <>
      <SelectField
        name="template"
        label="Template"
        choices={approved.map((each) => [keyOf(each), `${each.name}, ${each.language}`])}
        value={keyOf(chosen)}
        onChange={({ target }) => setNamed(target.value)}
      />
      <Places key={keyOf(chosen)} of={chosen} />
    </>
  );
}

const FailedList = ({ error, retry }: { error: unknown; retry: () => void }) => (
  <>
    <Failed error={error} retry={retry} />
    <ByHand />
  </>
);

const keyOf = ({ name, language }: ChannelTemplate) => `${name}${SEPARATOR}${language}`;

/** A field for each place, and the text as it will be read. */
function Places({ of: { text, parameters } }: { of: ChannelTemplate }) {
  const [given, setGiven] = useState<readonly string[]>(() => Array.from({ length: parameters }, () => ''));
  return (
    <>
      {given.map((value, at) => (
        <TextField
          // Places have no other identity than their number.
          key={`${at + 1} of ${parameters}`}
          name="template.parameters"
          label={`Text of {{${at + 1}}}`}
          required
          maxLength={1024}
          value={value}
          onChange={({ target }) => setGiven(given.map((each, nth) => (nth === at ? target.value : each)))}
        />
      ))}
      {text !== null && (
        <blockquote className={`said ${style.preview}`}>{visible(filled(text, given))}</blockquote>
      )}
    </>
  );
}
