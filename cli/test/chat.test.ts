import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ControlPlane } from '../../sdk/src/index.ts';
import { answerEach, createAgent } from '../../server/test/support/conversations.ts';
import { insertInstance, setInstanceStatus } from '../../server/test/support/instances.ts';
import { BIN, LONG_S, linesOf, runOutOfTime, Transcript, type Workplace } from './support/agentctl.ts';
import { type CliBench, startCliBench } from './support/service.ts';

let bench: CliBench;
let work: Workplace;
let agent: string;
beforeAll(async () => {
  bench = await startCliBench();
  ({ work } = bench);
  agent = (await createAgent(bench.service, bench.tenant)).instance.id;
  await bench.service.database.query(`update instances set hostname = 'crew.example.com' where id = $1`, [
    agent,
  ]);
});
afterAll(() => bench.stop());
afterEach(() => {
  bench.service.runtimes.onMessage = () => {};
});

const echo = () => answerEach(bench.service, ({ text }) => `You said ${String(text)}`);

/** The last message of these words that a runtime got; those of other tests may be tried again meanwhile. */
const lastTold = (words: string) =>
  bench.service.runtimes.messages.findLast(({ message }) => message.text === words)?.message;

interface JsonAnswer {
  conversation_id: string;
  author: string;
  text: string;
}

const answersIn = (stdout: string) => linesOf(stdout).map((line) => JSON.parse(line) as JsonAnswer);

interface StoredMessage {
  id: string;
  status: string;
  last_error: string | null;
}

/** Those of the conversation that began last. */
const newestMessage = () =>
  bench.service.database.query<StoredMessage>(
    `select id, status, last_error from channel_messages where author = 'sender' and conversation_id = (
       select id from conversations order by created_at desc limit 1)`,
  );

/** As named in a note of the chat. */
const conversationOf = (stderr: string) =>
  /--conversation (\S+?)\)/.exec(stderr)?.[1] ?? expect.unreachable();

describe('chat --once', () => {
  it('prints the answer alone, and continues a conversation', async () => {
    echo();
    const first = await work.run('chat', 'Crew.example.com', '--once', 'one');
    expect(first).toMatchObject({ code: 0, stdout: 'You said one\n' });
    const id = conversationOf(first.stderr);
    const next = await work.run('chat', agent, '--once', 'two', '--conversation', id);
    expect(next).toMatchObject({ code: 0, stdout: 'You said two\n' });
    expect(conversationOf(next.stderr)).toBe(id);
    expect(lastTold('two')).toMatchObject({
      history: [{ text: 'one' }, { text: 'You said one' }],
    });
  });

  it('shows choices with numbers, which are taps', async () => {
    bench.service.runtimes.onMessage = async ({ conversation_id, message_id, reply_id, text }) => {
      const path = `/internal/v1/instances/${agent}/conversations/${String(conversation_id)}/messages`;
      const asked = {
        text: 'Which pier?',
        options: {
          button: 'Choose',
          items: [
            { id: 'p4', title: 'Pier 4', description: 'From 7' },
            { id: 'p5', title: 'Pier 5' },
          ],
        },
      };
      const answer =
        reply_id === null ? asked : { text: `${JSON.stringify(reply_id)}: ${JSON.stringify(text)}` };
      await bench.service.operations.post(path, { ...answer, in_reply_to: message_id });
    };
    const first = await work.run('chat', agent, '--once', 'hi');
    expect(first.stdout).toBe('Which pier?\n  1. Pier 4: From 7\n  2. Pier 5\n');
    const id = conversationOf(first.stderr);
    const next = await work.run('chat', agent, '--once', '2', '--conversation', id);
    expect(next.stdout).toBe('"p5": "Pier 5"\n');
  });

  it('prints every answer until the message is handled', async () => {
    bench.service.runtimes.onMessage = async (message) => {
      for (const text of ['First', 'Second\nline']) {
        const path = `/internal/v1/instances/${agent}/conversations/${String(message.conversation_id)}/messages`;
        await bench.service.operations.post(path, { text, in_reply_to: null });
      }
    };
    const { stdout } = await work.run('chat', agent, '--once', 'hi');
    expect(stdout).toBe('First\nSecond\nline\n');
  });

  it('--json prints one object for each answer', async () => {
    echo();
    const { code, stdout } = await work.run('chat', agent, '--once', 'one', '--json');
    expect([code, answersIn(stdout)]).toEqual([
      0,
      [expect.objectContaining({ author: 'agent', text: 'You said one', status: 'delivered' })],
    ]);
  });

  it('ends at once with the reason where the runtime has ended and does not come back', async () => {
    const { instance } = await createAgent(bench.service, bench.tenant);
    await bench.service.database.query(
      `update runtimes set phase = 'starting', reason = 'out_of_memory', address = null, host_id = null
       where instance_id = $1`,
      [instance.id],
    );
    const { stdout } = await work.run('instances', 'list');
    expect(stdout).toMatch(new RegExp(`^${instance.id} +running \\(no runtime: out of memory\\) `, 'm'));
    const { code, stderr } = await work.run('chat', instance.id, '--once', 'one', '--timeout', '600');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^error: no answer: .* has no runtime \(out of memory\); "agentctl logs /m),
    ]);
  });

  it('exits with 1 and the reason when no answer comes', async () => {
    const ask = ['chat', agent, '--once', 'one', '--timeout', String(LONG_S)];
    const [before] = await newestMessage();
    const isNew = async (known: (message: StoredMessage) => boolean) => {
      const [newest] = await newestMessage();
      return newest !== undefined && newest.id !== before?.id && known(newest);
    };
    const silent = await runOutOfTime(
      () => work.run(...ask),
      () => isNew(({ status }) => status === 'handled'),
    );
    expect(silent).toMatchObject({ code: 1, stdout: '' });
    expect(silent.stderr).toMatch(
      new RegExp(`^error: no answer within ${LONG_S} s: the agent took the message and said nothing$`, 'm'),
    );
    bench.service.runtimes.onMessage = () => {
      throw new Error('The model is down');
    };
    const refused = await runOutOfTime(
      () => work.run(...ask),
      () => isNew(({ status, last_error }) => status === 'pending' && last_error !== null),
    );
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('The model is down') });
  });

  it('prints a person’s answer as theirs', async () => {
    echo();
    const id = conversationOf((await work.run('chat', agent, '--once', 'one')).stderr);
    expect((await work.run('conversations', 'take-over', id)).code).toBe(0);
    const waiting = await work.run('chat', agent, '--once', 'two', '--conversation', id, '--timeout', '1');
    expect(waiting.stderr).toMatch(/^the key test has it, so the agent does not answer; .*give-back/m);
    expect(waiting.stderr).toMatch(/^error: no answer within 1 s: the key test has it, .*give-back/m);
    const { service, tenant } = bench;
    const { conversations } = new ControlPlane({ baseUrl: service.base_url, apiKey: tenant.key });
    const asked = work.run('chat', agent, '--once', 'three', '--conversation', id);
    for await (const { text } of conversations.followMessages(id)) if (text === 'three') break;
    expect((await work.run('conversations', 'answer', id, 'It is me')).code).toBe(0);
    expect(await asked).toMatchObject({ code: 0, stdout: '[person] It is me\n' });
  });

  it('says so when the agent cannot answer', async () => {
    const { service, tenant } = bench;
    const { id } = await insertInstance(service, tenant.tenant_id, { status: 'stopped' });
    const stopped = await work.run('chat', id, '--once', 'one');
    expect([stopped.code, linesOf(stopped.stderr)]).toEqual([
      5,
      [
        'error: agent is stopped, so nobody answers',
        `hint: "agentctl instances start ${id} --wait" starts it`,
      ],
    ]);
    const shared = await insertInstance(service, tenant.tenant_id, { hosting_mode: 'shared' });
    const unknown = await work.run('chat', shared.id, '--once', 'one');
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringMatching(/hint: use --identity/)]);
    const gone = await work.run('chat', 'nowhere.example.com', '--once', 'one');
    expect([gone.code, gone.stderr]).toEqual([4, 'error: there is no instance "nowhere.example.com"\n']);
    expect((await work.run('chat', agent, '--once', 'x', '--conversation', randomUUID())).code).toBe(4);
    expect((await work.run('chat', agent, '--once', ' ')).code).toBe(2);
  });

  it('writes as a known address of a dedicated instance’s customer', async () => {
    echo();
    const { service, tenant } = bench;
    const { customer_id, id } = await insertInstance(service, tenant.tenant_id);
    const as = ['chat', id, '--once', 'hi', '--identity', '61455000008'];
    const unknown = await work.run(...as);
    expect([unknown.code, unknown.stderr]).toEqual([
      4,
      expect.stringContaining('"agentctl identities create"'),
    ]);
    const added = await work.json('identities', 'add', customer_id, '+61455000008');
    expect(await work.run(...as)).toMatchObject({ code: 0, stdout: 'You said hi\n' });
    expect(lastTold('hi')).toMatchObject({ identity_id: added.id });
  });

  it('writes as an identity of a shared instance', async () => {
    echo();
    const { service, tenant } = bench;
    const shared = await insertInstance(service, tenant.tenant_id, { hosting_mode: 'shared' });
    const identity = await tenant.api.post<{ id: string }>(`/v1/customers/${shared.customer_id}/identities`, {
      channel: 'chatapp',
      external_id: '61455000009',
      verified: true,
    });
    const written = await work.run('chat', shared.id, '--once', 'hi', '--identity', identity.body.id);
    expect(written).toMatchObject({ code: 0, stdout: 'You said hi\n' });
    expect(lastTold('hi')).toMatchObject({
      customer_id: shared.customer_id,
      identity_id: identity.body.id,
    });
  });

  it('prefers the running instance of a hostname', async () => {
    echo();
    const { service, tenant } = bench;
    const { id } = await insertInstance(service, tenant.tenant_id);
    await service.database.query(`update instances set hostname = 'crew.example.com' where id = $1`, [id]);
    const several = await work.run('chat', 'crew.example.com', '--once', 'x');
    expect([several.code, several.stderr]).toEqual([5, expect.stringContaining(id)]);
    await setInstanceStatus(service, id, 'terminated');
    expect((await work.run('chat', 'crew.example.com', '--once', 'x')).code).toBe(0);
  });
});

describe('chat without a terminal', () => {
  it('sends each line of standard input in turn, and ends after the last answer', async () => {
    echo();
    const { code, stdout } = await work.given('one\n\ntwo\r\nthree', 'chat', agent, '--json');
    expect([code, answersIn(stdout).map(({ text }) => text)]).toEqual([
      0,
      ['You said one', 'You said two', 'You said three'],
    ]);
    expect(new Set(answersIn(stdout).map(({ conversation_id }) => conversation_id)).size).toBe(1);
  });

  it('replies to the questions of an onboarding flow, and ends when one is open', async () => {
    echo();
    const { service, tenant } = bench;
    const { body: flow } = await tenant.api.post<{ id: string }>('/v1/onboarding-flows', {
      name: 'Flow',
      steps: [{ text: 'Your name?' }, { text: 'Your site?' }],
    });
    const { instance } = await createAgent(service, tenant);
    await service.database.query(
      `with attached as (update deployments set onboarding_flow_id = $2 where instance_id = $1)
       update instances set resolved_config = jsonb_build_object('onboarding_flow_id', $2::text) where id = $1`,
      [instance.id, flow.id],
    );
    const { code, stdout, stderr } = await work.given('hi\nAda\n', 'chat', instance.id, '--timeout', '60');
    expect([code, stdout]).toEqual([0, '[system] Your name?\n[system] Your site?\n']);
    const going = ['--conversation', conversationOf(stderr)];
    const last = await work.run('chat', instance.id, '--once', 'Harbour', ...going);
    expect(last).toMatchObject({ code: 0, stdout: 'You said hi\nAda\nHarbour\n' });
  });

  it('ends at the first line without an answer', async () => {
    answerEach(bench.service, ({ text }) => (text === 'one' ? 'Yes' : undefined));
    bench.service.runtimes.messages.length = 0;
    const outcome = await runOutOfTime(
      () => work.given('one\ntwo\nthree\n', 'chat', agent, '--timeout', String(LONG_S)),
      async () => lastTold('two') !== undefined,
      2,
    );
    expect(outcome).toMatchObject({ code: 1, stdout: 'Yes\n' });
  });
});

/** On a pseudo-terminal of 60 columns. */
class ChatTerminal {
  readonly #child;
  readonly #transcript;

  constructor(place: Workplace, ...args: string[]) {
    const command = ['stty cols 60;', process.execPath, BIN, 'chat', ...args].join(' ');
    this.#child = spawn('script', ['-qefc', command, '/dev/null'], {
      cwd: place.directory,
      env: { ...place.environment, TERM: 'xterm', NO_COLOR: '1' },
    });
    this.#transcript = new Transcript(this.#child);
  }

  get text(): string {
    return stripVTControlCharacters(this.#transcript.text);
  }

  shows(words: string, count = 1): Promise<void> {
    return this.#transcript.shows(new RegExp(`(?:${words.replace(/[.?()]/g, '\\$&')}[^]*){${count}}`));
  }

  type(text: string): void {
    this.#child.stdin.write(text);
  }

  /** @returns the exit code */
  endWith(key: string): Promise<number | string> {
    this.type(key);
    return this.#transcript.ended();
  }
}

describe('chat on a terminal', () => {
  const PROMPT = 'you    › ';

  it('shows who is typing, then the answer above the prompt, until Ctrl-D', async () => {
    const gate = new EventEmitter();
    const held = once(gate, 'open');
    answerEach(bench.service, ({ text }) => `You said ${String(text)}`);
    const answerNow = bench.service.runtimes.onMessage;
    bench.service.runtimes.onMessage = async (message) => {
      await held;
      await answerNow(message);
    };
    const chat = new ChatTerminal(work, agent);
    await chat.shows(PROMPT);
    chat.type('one\r');
    await chat.shows('crew.example.com is typing…');
    expect(chat.text).not.toContain('agent  ›');
    gate.emit('open');
    await chat.shows('agent  › You said one');
    chat.type('two\r');
    await chat.shows('agent  › You said two');
    expect(await chat.endWith('\u0004')).toBe(0);
    expect(chat.text).toMatch(/\(to go on: --conversation \S+\)/);
  });

  it('sends pasted lines without waiting for answers', async () => {
    const gate = new EventEmitter();
    const held = once(gate, 'open');
    const texts: unknown[] = [];
    bench.service.runtimes.onMessage = async ({ text }) => {
      texts.push(text);
      await held;
    };
    const chat = new ChatTerminal(work, agent);
    await chat.shows(PROMPT);
    chat.type('one\rtwo\rthree\r');
    const stored = () =>
      bench.service.database.query(
        `select 1 from channel_messages where status = 'pending' and conversation_id = (
           select id from conversations order by created_at desc limit 1)`,
      );
    await expect.poll(async () => (await stored()).length).toBe(3);
    gate.emit('open');
    await expect.poll(() => texts).toEqual(['one', 'two', 'three']);
    expect(await chat.endWith('\u0003')).toBe(130);
  });

  it('prints earlier messages first, and marks a person', async () => {
    echo();
    const id = conversationOf((await work.run('chat', agent, '--once', 'one')).stderr);
    const chat = new ChatTerminal(work, agent, '--conversation', id);
    await chat.shows('agent  › You said one');
    await chat.shows(PROMPT, 2);
    await work.run('conversations', 'take-over', id);
    chat.type('half a line');
    // Text typed after the answer is not redrawn.
    await chat.shows('half a line');
    await work.run('conversations', 'answer', id, 'A colleague here');
    await chat.shows('person › A colleague here');
    await chat.shows(`${PROMPT}half a line`);
    expect(await chat.endWith('\u0003')).toBe(130);
  });

  it('shows why no answer comes', async () => {
    bench.service.runtimes.onMessage = () => {
      throw new Error('The model is down');
    };
    const chat = new ChatTerminal(work, agent);
    await chat.shows(PROMPT);
    chat.type('one\r');
    await chat.shows('no answer yet: The model is down');
    await chat.shows('waiting for an answer…');
    expect(await chat.endWith('\u0003')).toBe(130);
  });
});
