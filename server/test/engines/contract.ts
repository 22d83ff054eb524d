import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Engine, Minted, Observed, RuntimeSpec } from '../../src/runtimes/engine.port.ts';

/** Where an engine runs its runtimes, which are test/support/test-runtime.mjs. */
export interface EngineBed {
  open(settings?: {
    start_timeout_ms?: number;
    /** Another one than usual, at the same place. */
    cluster?: string;
    clean?: (id: string, line: string) => Promise<string>;
  }): Engine;
  close(): Promise<void>;
  /** Lines that the engine handed over. */
  output: string[];
  /** Runtimes stay when their engine closes. */
  outlives: boolean;
  /** The place starts runtimes again that end, and only the caller ends one that never listens. */
  restartsInPlace?: boolean;
  /** The place itself finds out about names and images, and needs what was minted before. */
  mintsFirst?: boolean;
  /** Memory is limited. */
  outOfMemory?(instance_id: string, address: string): Promise<void>;
  /** Takes the name of the runtime for something else. */
  occupy?(instance_id: string): Promise<void>;
  /** The thing that took the name is still there. */
  isOccupied?(instance_id: string): Promise<boolean>;
  /** Removes the runtime behind the engine's back. */
  removeByHand?(instance_id: string): Promise<void>;
  /** The engine's place is away until the returned function is called. */
  takeAway?(): Promise<() => Promise<void>>;
  /** Shown to everybody who may list runtimes. */
  labels?(instance_id: string): Promise<string>;
  /** Image of the runtimes; undefined: the engine has none. */
  image?: string;
}

const MINTED: Minted = {
  ENROLLMENT_TOKEN: 'minted-enrollment',
  PROXY_KEY: 'minted-proxy-key',
  MESSAGE_SECRET: 'minted-secret',
  LLM_API_KEY: 'minted-model-key',
};

const WAIT = { timeout: 120_000 };

/** Follows an engine as its host does. */
class Follower {
  readonly engine: Engine;
  readonly seen = new Map<string, Observed>();
  readonly history: Observed[] = [];
  lists = 0;
  failures = 0;
  onChange: (observed: Observed) => void = () => {};
  readonly #stopping = new AbortController();

  constructor(engine: Engine) {
    this.engine = engine;
    void this.#follow();
  }

  async #follow(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      try {
        for await (const event of this.engine.watch(this.#stopping.signal)) this.#note(event);
      } catch {
        if (this.#stopping.signal.aborted) return;
        this.failures++;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  #note(event: { all: readonly Observed[] } | Observed): void {
    if (!('all' in event)) {
      this.seen.set(event.instance_id, event);
      this.history.push(event);
      this.onChange(event);
      return;
    }
    this.lists++;
    this.seen.clear();
    for (const observed of event.all) this.seen.set(observed.instance_id, observed);
  }

  until(instance_id: string, expected: Partial<Observed>): Promise<Observed> {
    return vi.waitFor(() => {
      const observed = this.seen.get(instance_id);
      expect(observed).toMatchObject(expected);
      return observed as Observed;
    }, WAIT);
  }

  listed(count = 1): Promise<void> {
    return vi.waitFor(() => expect(this.lists).toBeGreaterThanOrEqual(count), WAIT);
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    await this.engine.close();
  }
}

async function get(address: string | null, path: string): Promise<unknown> {
  const { host } = new URL(address ?? '');
  return (await fetch(`http://${host}${path}`)).json();
}

/** An instance of an engine's bed, with all that a behaviour needs. */
class Bench {
  readonly bed: EngineBed;
  readonly tenant_id = randomUUID();
  readonly mint = vi.fn(async (): Promise<Minted | undefined> => MINTED);
  readonly #followers: Follower[] = [];
  readonly #instances: string[] = [];
  readonly id: string;

  constructor(bed: EngineBed) {
    this.bed = bed;
    this.id = this.instance();
  }

  readonly instance = (): string => {
    const made = randomUUID();
    this.#instances.push(made);
    return made;
  };

  readonly follow = (settings?: Parameters<EngineBed['open']>[0]): Follower => {
    const follower = new Follower(this.bed.open(settings));
    this.#followers.push(follower);
    return follower;
  };

  readonly specOf = (more: Partial<RuntimeSpec> = {}): RuntimeSpec => ({
    instance_id: this.id,
    tenant_id: this.tenant_id,
    generation: 3,
    cpu_millis: 500,
    memory_mib: 128,
    internet: false,
    hash: 'hash-1',
    environment: {},
    ...more,
  });

  readonly up = async (follower: Follower, more: Partial<RuntimeSpec> = {}): Promise<Observed> => {
    const spec = this.specOf(more);
    await follower.listed();
    await follower.engine.ensure(spec, this.mint);
    return follower.until(spec.instance_id, { phase: 'up' });
  };

  async close(): Promise<void> {
    const follower = this.follow();
    await follower.listed();
    for (const instance_id of this.#instances) {
      await follower.engine.remove(instance_id);
      await follower.until(instance_id, { phase: 'gone' });
    }
    await Promise.all(this.#followers.map((one) => one.close()));
  }
}

interface Behaviour {
  title: string;
  /** A part of the bed without which the engine cannot show it. */
  needs?: keyof EngineBed;
  /** A part of the bed with which the engine shows something else. */
  lacks?: keyof EngineBed;
  check: (bench: Bench) => Promise<void>;
}

const BEHAVIOURS: readonly Behaviour[] = [
  {
    title: 'starts a runtime with what was given and minted, and names generation and hash',
    check: async ({ follow, id, up }) => {
      const follower = follow();
      const observed = await up(follower, { environment: { GREETING: 'hello "you"\n$HOME' } });
      expect(observed).toMatchObject({ generation: 3, spec_hash: 'hash-1', reason: null, exit_code: null });
      expect(await get(observed.address, '/environment')).toMatchObject({
        ...MINTED,
        INSTANCE_ID: id,
        GREETING: 'hello "you"\n$HOME',
      });
      expect(follower.history.map(({ phase }) => phase)).toEqual(['starting', 'up']);
    },
  },
  {
    title: 'starts nothing twice: by ensures at once, one after another, or by two engines',
    check: async ({ bed, follow, id, mint, specOf }) => {
      const [one, two] = [follow(), follow()];
      await Promise.all([one, two].map((follower) => follower.listed()));
      for (let count = 0; count < 5; count++) void one.engine.ensure(specOf(), mint);
      const { address } = await one.until(id, { phase: 'up' });
      await one.engine.ensure(specOf({ generation: 4, hash: 'hash-2' }), mint);
      if (bed.outlives) await two.engine.ensure(specOf(), mint);
      expect(await get(address, '/health')).toMatchObject({ instance_id: id });
      await one.until(id, { phase: 'up', generation: 3, address });
      if (bed.outlives) await two.until(id, { phase: 'up', generation: 3, address });
      expect(mint).toHaveBeenCalledTimes(1);
    },
  },
  {
    title: 'two engines that begin at once leave one runtime',
    needs: 'outlives',
    check: async ({ follow, id, mint, specOf }) => {
      const both = [follow(), follow()];
      await Promise.all(both.map((follower) => follower.listed()));
      for (const { engine } of both) await engine.ensure(specOf(), mint);
      const [one, two] = await Promise.all(both.map((follower) => follower.until(id, { phase: 'up' })));
      expect(one?.address).toBe(two?.address);
      expect(await get(one?.address ?? null, '/health')).toMatchObject({ instance_id: id });
    },
  },
  {
    title: 'mints nothing for a runtime that is not wanted any more',
    check: async ({ follow, id, mint, specOf }) => {
      const follower = follow();
      mint.mockResolvedValue(undefined);
      await follower.engine.ensure(specOf(), mint);
      await follower.until(id, { phase: 'gone', reason: null });
    },
  },
  {
    title: 'a mint that fails is a failed start, and the next start mints anew',
    check: async ({ follow, id, mint, specOf, up }) => {
      const follower = follow();
      mint.mockRejectedValueOnce(new Error('no database'));
      await follower.engine.ensure(specOf(), mint);
      await follower.until(id, { phase: 'gone', reason: 'crashed' });
      await up(follower);
      expect(mint).toHaveBeenCalledTimes(2);
    },
  },
  {
    title: 'a start that answers an end at once is not lost',
    check: async ({ follow, mint, specOf, up }) => {
      const follower = follow();
      mint.mockRejectedValueOnce(new Error('no database'));
      follower.onChange = ({ phase, reason }) => {
        if (phase === 'gone' && reason) void follower.engine.ensure(specOf(), mint);
      };
      await up(follower);
      follower.onChange = () => {};
    },
  },
  {
    title: 'removes a runtime, and its state with it; removing again changes nothing',
    check: async ({ follow, id, up }) => {
      const follower = follow();
      const { address } = await up(follower);
      await follower.engine.remove(id);
      await follower.until(id, { phase: 'gone', reason: null, address: null });
      await expect(get(address, '/health')).rejects.toThrow();
      expect(follower.history.map(({ phase }) => phase)).toEqual(['starting', 'up', 'ending', 'gone']);
      const before = follower.history.length;
      await follower.engine.remove(id);
      await vi.waitFor(() => expect(follower.history.length).toBeGreaterThan(before), WAIT);
      expect(follower.history.slice(before).map(({ phase }) => phase)).toEqual(['gone']);
    },
  },
  {
    title: 'a remove during a start ends it',
    check: async ({ follow, id, mint, specOf }) => {
      const follower = follow();
      await follower.engine.ensure(specOf({ environment: { SILENT: '1' } }), mint);
      await follower.until(id, { phase: 'starting' });
      await follower.engine.remove(id);
      await follower.until(id, { phase: 'gone', reason: null });
    },
  },
  {
    title: 'tells an end with its code and last line, and starts anew with a new mint',
    lacks: 'restartsInPlace',
    check: async ({ bed, follow, id, mint, up }) => {
      const follower = follow({ clean: async (_id, line) => line.replace('s3cr3t', '[clean]') });
      const { address } = await up(follower);
      await get(address, `/crash?7=${encodeURIComponent('the token s3cr3t is refused')}`).catch(() => {});
      const gone = { phase: 'gone', reason: 'crashed', exit_code: 7, address: null, generation: 3 } as const;
      await follower.until(id, { ...gone, last_line: 'the token [clean] is refused' });
      await vi.waitFor(() => expect(bed.output.join('\n')).toContain('the token s3cr3t is refused'), WAIT);
      mint.mockResolvedValue({ ...MINTED, PROXY_KEY: 'minted-again' });
      const again = await up(follower, { generation: 4 });
      expect(await get(again.address, '/environment')).toMatchObject({ PROXY_KEY: 'minted-again' });
      expect(again.generation).toBe(4);
    },
  },
  {
    title: 'a runtime that asks for a new identity is gone with 75',
    check: async ({ follow, id, up }) => {
      const follower = follow();
      const { address } = await up(follower);
      await get(address, '/crash?75').catch(() => {});
      await follower.until(id, { phase: 'gone', exit_code: 75 });
    },
  },
  {
    title: 'a runtime that fails at its start is gone with its last line',
    lacks: 'restartsInPlace',
    check: async ({ follow, id, mint, specOf }) => {
      const follower = follow();
      await follower.engine.ensure(specOf({ environment: { CRASH: 'no such setting' } }), mint);
      const { last_line } = await follower.until(id, { phase: 'gone', reason: 'crashed' });
      expect(last_line).toMatch(/^Error: /);
    },
  },
  {
    title: 'a runtime without memory is gone as out_of_memory',
    needs: 'outOfMemory',
    lacks: 'restartsInPlace',
    check: async ({ bed, follow, id, up }) => {
      const follower = follow();
      const { address } = await up(follower);
      await bed.outOfMemory?.(id, address ?? '');
      await follower.until(id, { phase: 'gone', reason: 'out_of_memory' });
    },
  },
  {
    title: 'a runtime that never listens is ended at the start timeout',
    needs: 'image',
    lacks: 'restartsInPlace',
    check: async ({ follow, id, mint, specOf }) => {
      const follower = follow({ start_timeout_ms: 1500 });
      await follower.engine.ensure(specOf({ environment: { SILENT: '1' } }), mint);
      await follower.until(id, { phase: 'gone', reason: 'start_timeout' });
    },
  },
  {
    title: 'an image that cannot be had is image_pull_failed, and is gone when it stays so',
    needs: 'image',
    check: async ({ bed, follow, id, mint, specOf }) => {
      const follower = follow();
      const image = 'localhost:1/nobody/has-it:1';
      await follower.engine.ensure(specOf({ image }), mint);
      await follower.until(id, { reason: 'image_pull_failed' });
      expect(mint).toHaveBeenCalledTimes(bed.mintsFirst ? 1 : 0);
      await follower.engine.remove(id);
      await follower.until(id, { phase: 'gone', reason: null });
    },
  },
  {
    title: 'tells an end with its code and last line, and that its place has started it again',
    needs: 'restartsInPlace',
    check: async ({ bed, follow, id, mint, up }) => {
      const follower = follow({ clean: async (_id, line) => line.replace('s3cr3t', '[clean]') });
      const { address } = await up(follower);
      const words = 'the token s3cr3t is refused, and minted-proxy-key';
      await get(address, `/crash?7=${encodeURIComponent(words)}`).catch(() => {});
      await follower.until(id, { phase: 'up', restarts: 1, reason: null, exit_code: null, generation: 3 });
      const last_line = 'the token [clean] is refused, and [secret]';
      const end = { phase: 'starting', reason: 'crashed', exit_code: 7, address: null, last_line };
      expect(follower.history).toContainEqual(expect.objectContaining(end));
      const said = 'the token s3cr3t is refused, and [secret]';
      await vi.waitFor(() => expect(bed.output.join('\n')).toContain(said), WAIT);
      expect(mint).toHaveBeenCalledTimes(1);
    },
  },
  {
    title: 'a runtime that fails at each start counts its restarts and is not gone',
    needs: 'restartsInPlace',
    check: async ({ follow, id, mint, specOf }) => {
      const follower = follow();
      await follower.engine.ensure(specOf({ environment: { CRASH: 'no such setting' } }), mint);
      const again = { instance_id: id, phase: 'starting', reason: 'crashed', restarts: 2 };
      const last_line = expect.stringMatching(/^Error: /) as string;
      // It goes on: what is seen last may be the third restart.
      await vi.waitFor(
        () => expect(follower.history).toContainEqual(expect.objectContaining({ ...again, last_line })),
        WAIT,
      );
    },
  },
  {
    title: 'a runtime without memory is started again after out_of_memory',
    needs: 'restartsInPlace',
    check: async ({ bed, follow, id, up }) => {
      const follower = follow();
      const { address } = await up(follower);
      await bed.outOfMemory?.(id, address ?? '');
      await follower.until(id, { phase: 'up', restarts: 1 });
      const end = { phase: 'starting', reason: 'out_of_memory', exit_code: null };
      expect(follower.history).toContainEqual(expect.objectContaining(end));
    },
  },
  {
    title: 'a name that something else has is name_taken and left alone',
    needs: 'occupy',
    check: async ({ bed, follow, id, mint, specOf }) => {
      await bed.occupy?.(id);
      const follower = follow();
      await follower.engine.ensure(specOf(), mint);
      await follower.until(id, { phase: 'gone', reason: 'name_taken' });
      expect(await bed.isOccupied?.(id)).toBe(true);
      expect(mint).toHaveBeenCalledTimes(bed.mintsFirst ? 1 : 0);
    },
  },
  {
    title: 'a runtime that was removed by hand is gone',
    needs: 'removeByHand',
    check: async ({ bed, follow, id, up }) => {
      const follower = follow();
      await up(follower);
      await bed.removeByHand?.(id);
      await follower.until(id, { phase: 'gone' });
      await up(follower);
    },
  },
  {
    title: 'another engine finds what runs, and closing ends as much as it should',
    check: async ({ bed, follow, id, mint, specOf, up }) => {
      const first = follow();
      const { address } = await up(first);
      await first.close();
      const second = follow();
      await second.listed();
      if (!bed.outlives) {
        expect(second.seen.has(id)).toBe(false);
        return;
      }
      expect(second.seen.get(id)).toMatchObject({ phase: 'up', generation: 3, spec_hash: 'hash-1', address });
      await get(address, '/crash?5').catch(() => {});
      await second.until(id, bed.restartsInPlace ? { restarts: 1 } : { phase: 'gone', exit_code: 5 });
      await expect(first.engine.ensure(specOf(), mint)).rejects.toThrow('closed');
    },
  },
  {
    title: 'another cluster at the same place sees nothing of it, and ends nothing',
    needs: 'outlives',
    check: async ({ follow, id, instance, up }) => {
      await up(follow());
      const other = follow({ cluster: 'other' });
      const its = instance();
      await up(other, { instance_id: its });
      expect([...other.seen.keys()]).not.toContain(id);
      await other.engine.remove(id);
      await other.until(id, { phase: 'gone' });
      const again = follow();
      await again.listed();
      expect(again.seen.get(id)).toMatchObject({ phase: 'up' });
      expect([...again.seen.keys()]).not.toContain(its);
      await other.engine.remove(its);
      await other.until(its, { phase: 'gone' });
    },
  },
  {
    title: 'while its place is away nothing changes, and afterwards it sees what happened',
    needs: 'takeAway',
    check: async ({ bed, follow, id, instance, mint, specOf, up }) => {
      const follower = follow();
      const { address } = await up(follower);
      const [lists, failures] = [follower.lists, follower.failures];
      const bringBack = await bed.takeAway?.();
      await vi.waitFor(() => expect(follower.failures).toBeGreaterThan(failures), WAIT);
      expect(follower.seen.get(id)).toMatchObject({ phase: 'up', address });
      const other = instance();
      await follower.engine.ensure(specOf({ instance_id: other }), mint);
      await get(address, '/crash?9').catch(() => {});
      await bringBack?.();
      await follower.listed(lists + 1);
      await follower.until(id, bed.restartsInPlace ? { restarts: 1 } : { phase: 'gone', exit_code: 9 });
      await follower.until(other, { phase: 'up' });
    },
  },
  {
    title: 'what was minted is in no label',
    needs: 'labels',
    check: async ({ bed, follow, id, up }) => {
      await up(follow());
      const labels = await bed.labels?.(id);
      expect(labels).toContain(id);
      expect(labels).not.toContain('minted');
    },
  },
];

/** The behaviours that the control plane relies on, for each engine. */
export function describeEngine(name: string, openBed: () => Promise<EngineBed>): void {
  describe(`the engine ${name}`, () => {
    let bed: EngineBed;
    beforeAll(async () => {
      bed = await openBed();
    });
    afterAll(() => bed.close());

    for (const { title, needs, lacks, check } of BEHAVIOURS) {
      test(title, async ({ skip }) => {
        if ((needs && !bed[needs]) || (lacks && bed[lacks])) skip();
        const bench = new Bench(bed);
        try {
          await check(bench);
        } finally {
          await bench.close();
        }
      });
    }
  });
}
