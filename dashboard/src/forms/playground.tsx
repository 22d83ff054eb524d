import { write_in_playground } from '@agent-control-plane/fields';
import type { Message } from '@agent-control-plane/sdk';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { useRead, useWrite } from '../queries.ts';
import { clock } from '../rules/time.ts';
import { visible } from '../rules/visible-text.ts';
import { Answered } from '../ui/answered.tsx';
import { Button } from '../ui/button.tsx';
import { Sentences } from '../ui/chips.tsx';
import { Choices } from '../ui/choices.tsx';
import field from '../ui/field.module.css';
import { Form, textOf } from '../ui/form.tsx';
import { Said } from '../ui/said.tsx';
import { ShapeMark } from '../ui/status.tsx';
import style from './playground.module.css';

interface PlaygroundProps {
  instance_id: string;
  /** Somebody whom the agent knows; without one a stranger writes. */
  identity_id?: string | undefined;
  conversation_id: string | undefined;
  /** A conversation began; undefined: the next message begins another one. */
  onBegin: (conversation_id: string | undefined) => void;
  /** Sentences to click, which stay in sight; without them some beginnings are offered. */
  suggestions?: readonly string[];
  header?: ReactNode;
  /** The files of a message. */
  filesOf: (message: Message) => ReactNode;
}

/** A talk with an agent as its customers have it, without a phone. */
export function Playground({
  instance_id,
  identity_id,
  conversation_id,
  onBegin,
  suggestions,
  header,
  filesOf,
}: PlaygroundProps) {
  const write = useWrite('write_in_playground');
  const form = useRef<HTMLDivElement>(null);
  const send = async (said: { text: string } | { reply_id: string }) => {
    const sent = await write.run({
      path: { instance_id },
      body: {
        ...said,
        ...(identity_id !== undefined && { identity_id }),
        ...(conversation_id !== undefined && { conversation_id }),
      },
    });
    form.current?.querySelector('form')?.reset();
    if (sent.conversation_id !== conversation_id) onBegin(sent.conversation_id);
  };
  const choose = (text: string) => void send({ text }).catch(() => undefined);
  const tap = (reply_id: string) => void send({ reply_id }).catch(() => undefined);
  return (
    <section className={style.playground} aria-label="Playground">
      {header}
      {conversation_id === undefined ? (
        <div className={style.none}>
          <p className="hint">Write as one of its customers would. It answers here alone.</p>
          {!suggestions && <Sentences label="Beginnings" of={BEGINNINGS} onChoose={choose} />}
        </div>
      ) : (
        <Thread conversation_id={conversation_id} isSending={write.pending} onTap={tap} filesOf={filesOf} />
      )}
      <div ref={form} className={style.composer}>
        {suggestions && <Sentences label="Sentences to say" of={suggestions} onChoose={choose} />}
        <Composer onSend={(text) => send({ text })} />
        {conversation_id !== undefined && !suggestions && (
          <Button small look="plain" onClick={() => onBegin(undefined)}>
            Begin another conversation
          </Button>
        )}
      </div>
    </section>
  );
}

const Composer = ({ onSend }: { onSend: (text: string) => Promise<void> }) => (
  <Form onSave={(values) => onSend(textOf(values, 'text'))} label="Write to the agent" className={style.form}>
    {(pending) => (
      <>
        <input
          name="text"
          className={field.input}
          aria-label="Message"
          placeholder="Hello, …"
          maxLength={write_in_playground.text.maxLength}
          autoComplete="off"
          required
        />
        <Button type="submit" icon="send" aria-label="Send" pending={pending} />
      </>
    )}
  </Form>
);

/** For those who do not know what to write. */
const BEGINNINGS = ['Hello', 'What can you do?', 'I want to talk to a human'];

/** Without a hint of a change, an answer is looked for as often. */
const LOOK_MS = 2000;

interface ThreadProps {
  conversation_id: string;
  isSending: boolean;
  onTap: (reply_id: string) => void;
  filesOf: PlaygroundProps['filesOf'];
}

function Thread({ conversation_id, isSending, onTap, filesOf }: ThreadProps) {
  const end = useRef<HTMLDivElement>(null);
  const list = useRead(
    'list_messages',
    { path: { conversation_id }, query: { per_page: 100 } },
    { every: LOOK_MS },
  );
  const last = list.data?.items.at(-1)?.id;
  useEffect(() => {
    if (last !== undefined) end.current?.scrollIntoView({ block: 'nearest' });
  }, [last]);
  return (
    <div className={style.thread} role="log" aria-label="Messages" tabIndex={0}>
      <Answered of={list}>
        {({ items }) => (
          <>
            {items.map((message) =>
              message.kind === 'handover' ? (
                <Handover key={message.id} message={message} />
              ) : (
                <Bubble
                  key={message.id}
                  message={message}
                  // An earlier question is over.
                  onTap={message.id === last ? onTap : undefined}
                  filesOf={filesOf}
                />
              ),
            )}
            {(isSending || items.at(-1)?.direction === 'in') && (
              <p className={`hint ${style.waits}`}>
                <ShapeMark shape="arc" tone="act" /> The agent has it
              </p>
            )}
          </>
        )}
      </Answered>
      <div ref={end} />
    </div>
  );
}

interface BubbleProps {
  message: Message;
  onTap: ((reply_id: string) => void) | undefined;
  filesOf: PlaygroundProps['filesOf'];
}

function Bubble({ message, onTap, filesOf }: BubbleProps) {
  const { direction, author, text, kind, at, error, media, buttons, options } = message;
  return (
    <article className={direction === 'in' ? style.mine : style.theirs}>
      {(text !== null || media.length === 0) && (
        <div className={style.bubble}>
          {text === null ? <span className="hint">{kind}</span> : <Said text={text} />}
        </div>
      )}
      {filesOf(message)}
      <Choices buttons={buttons} options={options} onChoose={onTap} />
      <p className="hint num">
        {direction === 'in' ? 'you' : author}, {clock(at)}
        {error !== null && <span className="bad"> {error}</span>}
      </p>
    </article>
  );
}

/** The way to where a person answers. */
const Handover = ({ message: { text, conversation_id } }: { message: Message }) => (
  <p className={`hint ${style.waits}`}>
    <ShapeMark shape="diamond" tone="wait" /> Handed over{text !== null && `: ${visible(text)}`}.
    <Link to="/conversations/$conversation_id" params={{ conversation_id }} className="link">
      Answer it in the inbox
    </Link>
  </p>
);
