import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** A change of the built service that the ledger has to notice. */
export interface Mutant {
  name: string;
  /** Below server/dist. */
  file: string;
  /** Stands in the file once. */
  find: string;
  replace: string;
  /** The faults that the ledger needs to notice it; none where nothing is said. */
  faults?: string;
  /** So much of these kinds the ledger has to see at least. */
  enough: string;
  /** The line of its report that tells it. */
  finding: RegExp;
}

/** The first four are those that an earlier ledger did not notice. */
export const MUTANTS: readonly Mutant[] = [
  {
    name: 'sends each text twice',
    file: 'channels/outbox.js',
    find: 'services.sendApi.send({ ...to, body, trace })',
    replace:
      'services.sendApi.send({ ...to, body, trace }).then(() => services.sendApi.send({ ...to, body, trace }))',
    enough: 'accepted answers=4',
    finding: /^doubled: texts at the channel:/m,
  },
  {
    name: 'answers one request in ten with 500',
    file: 'platform/http/app.js',
    find: 'done(refuseMissingHost(request.raw)',
    replace: `done((request.url.startsWith('/v1/') && Math.random() < 0.1 ? new Error('a mutant') : undefined)
            ?? refuseMissingHost(request.raw)`,
    enough: 'answers over HTTP=150',
    finding: /^wrong: answers over HTTP: .* answered 500: /m,
  },
  {
    name: 'leaves out one row in five of the record of tool calls',
    file: 'audit/tool-call-log.js',
    find: 'return this.#chain(tenant_id).calls.add(call);',
    replace: `return Math.random() < 0.2 ? Promise.resolve() : this.#chain(tenant_id).calls.add(call);`,
    enough: 'calls of tools=20',
    finding: /^lost: rows of the record of tool calls:/m,
  },
  {
    name: 'makes an approved call twice',
    file: 'tools/settle-approval.js',
    find: 'const { kind, result } = await callServer(services, q, row, call, signal);',
    replace: `await callServer(services, q, row, call, signal);
    const { kind, result } = await callServer(services, q, row, call, signal);`,
    enough: 'decisions about approvals=2',
    finding: /^doubled: approved calls of tools:/m,
  },
  {
    name: 'hands messages over in the wrong order',
    file: 'dialogue/forwarding.db.js',
    find: "order by author = 'system' desc, number limit",
    replace: "order by author = 'system' desc, number desc limit",
    enough: 'accepted answers=12',
    // A message in front of one that was answered counts as answered.
    finding: /^lost: answers of agents:/m,
  },
  {
    name: 'leaves one call of a model in five unsettled',
    file: 'models/model-call.js',
    find: 'modelMetrics.count(status, latency_ms / 1000);',
    replace: 'modelMetrics.count(status, latency_ms / 1000);\n        if (Math.random() < 0.2) return;',
    enough: 'calls of tools=25',
    finding: /^wrong: usage rows: a call is running although nothing was wrong/m,
  },
  {
    name: 'tells a trigger twice',
    file: 'dialogue/triggers.js',
    find: 'await tx.run(queueSystemMessage(message));',
    replace: `await tx.run(queueSystemMessage(message));
        const again = randomUUID();
        const copy = await sealContent(keyring, q, again, { text: prompt });
        await tx.run(queueSystemMessage({ ...message, id: again, message_id: again, sealed_content: copy }));`,
    enough: 'answers to triggers=2',
    finding: /^doubled: times of a trigger:/m,
  },
  {
    name: 'forgets the runtimes of a service that was killed',
    file: 'adapters/process-engine/engine.js',
    find: 'const adopted = await recoverOne(ofOne, addresses, options);',
    replace: 'const adopted = undefined;',
    faults: 'service killed',
    enough: 'recoveries=4,accepted answers=3',
    finding: /^doubled: looks for second runtimes:/m,
  },
  {
    name: 'writes another row than it chained',
    file: 'audit/tool-call-log.js',
    find: 'calls: rows, after }, rows.length)',
    replace: 'calls: rows.map((row) => ({ ...row, latency_ms: row.latency_ms + 1 })), after }, rows.length)',
    enough: 'calls of tools=3,verified records=3',
    finding: /^wrong: verified records: tool-calls: row_changed at/m,
  },
  {
    name: 'loses one decision in two about an approval',
    file: 'tools/approvals.js',
    find: 'const { isDecided, decided } = await q.run({',
    replace: `if (Math.random() < 0.5)
        return readApproval(services, q, { ...(await q.run(findNamedApproval(id, false))), status });
    const { isDecided, decided } = await q.run({`,
    enough: 'decisions about approvals=7',
    finding: /^lost: decisions about approvals:/m,
  },
];

/** The built service with the mutant's change, in a directory of its own. */
export class MutantBuild {
  readonly #directory: string;

  private constructor(directory: string) {
    this.#directory = directory;
  }

  /** Throws where the mutant's place does not stand in the build once. */
  static async of({ name, file, find, replace }: Mutant): Promise<MutantBuild> {
    const directory = await mkdtemp(join(tmpdir(), 'acp-mutant-'));
    const server = join(directory, 'server');
    // All but the programs is the repository's own.
    for (const entry of ['node_modules', 'runtime']) await symlink(join(ROOT, entry), join(directory, entry));
    await cp(join(ROOT, 'server/dist'), join(server, 'dist'), { recursive: true });
    for (const entry of await readdir(join(ROOT, 'server')))
      if (entry !== 'dist') await symlink(join(ROOT, 'server', entry), join(server, entry));
    const path = join(server, 'dist', file);
    const parts = (await readFile(path, 'utf8')).split(find);
    if (parts.length !== 2)
      throw new Error(`The place of the mutant "${name}" stands ${parts.length - 1} times in ${file}`);
    await writeFile(path, parts.join(replace));
    return new MutantBuild(directory);
  }

  /** The program to run. */
  get main(): string {
    return join(this.#directory, 'server/dist/main.js');
  }

  remove(): Promise<void> {
    return rm(this.#directory, { recursive: true, force: true });
  }
}
