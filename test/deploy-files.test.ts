import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT, readPage } from './guide.ts';

const dockerfile = readPage('deploy/Dockerfile').replaceAll('\\\n', ' ');

/** @param pattern its first group has the words */
const wordsOf = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, words = '']) => words.trim().split(/\s+/));

const copied = wordsOf(dockerfile, /^COPY (?!--from)(.*)$/gm).flatMap((words) => words.slice(0, -1));
const stages = wordsOf(dockerfile, /^FROM \S+ AS (\S+)$/gm).flat();

describe('the Dockerfile', () => {
  it('copies what is there and what the build is given', () => {
    const given = wordsOf(readPage('.dockerignore'), /^!(.*)$/gm).flat();
    const isGiven = (path: string) => given.some((root) => path === root || path.startsWith(`${root}/`));
    expect(copied.length).toBeGreaterThan(10);
    expect(copied.filter((path) => !existsSync(join(ROOT, path)) || !isGiven(path))).toEqual([]);
  });

  it('copies from stages that it has', () => {
    const from = wordsOf(dockerfile, /^COPY --from=(\S+)/gm).flat();
    expect(from.filter((stage) => !stages.includes(stage))).toEqual([]);
  });

  it('has the manifest of each workspace, without which packages are not installed', () => {
    const { workspaces } = JSON.parse(readPage('package.json')) as { workspaces: string[] };
    expect(copied).toEqual(expect.arrayContaining(workspaces.map((name) => `${name}/package.json`)));
  });

  it('copies each script that a thread of the service runs', () => {
    const scripts = readdirSync(join(ROOT, 'server')).filter((name) => name.endsWith('-thread.mjs'));
    expect(scripts).toContain('tls-thread.mjs');
    expect(copied).toEqual(expect.arrayContaining(scripts.map((name) => `server/${name}`)));
  });
});

interface ComposeService {
  build?: { dockerfile: string; target: string };
  environment?: Record<string, string>;
  ports?: string[];
}

describe('compose.yaml', () => {
  const text = readPage('deploy/compose.yaml');
  const { services } = parse(text) as { services: Record<string, ComposeService> };

  it('builds targets of the Dockerfile', () => {
    const targets = Object.values(services).flatMap(({ build }) => build?.target ?? []);
    expect(targets.toSorted()).toEqual(['runtime', 'server']);
    expect(stages).toEqual(expect.arrayContaining(targets));
  });

  it('sets settings that exist, on their page or on that of agentctl', () => {
    const set = Object.keys(services['control-plane']?.environment ?? {});
    expect(set).toContain('PROVISIONER');
    const pages = readPage('docs/settings.md') + readPage('cli/README.md');
    expect(set.filter((name) => !pages.includes(`\`${name}\``))).toEqual([]);
  });

  it('has no default for what deploy/secrets.sh makes', () => {
    const made = wordsOf(readPage('deploy/secrets.sh'), /^([A-Z_]+)=/gm).flat();
    const asked = wordsOf(text, /\$\{([A-Z_]+):\?/g).flat();
    expect(made).toEqual(expect.arrayContaining([...asked, 'MASTER_KEY']));
    expect(new Set(asked)).toEqual(new Set(['POSTGRES_PASSWORD', 'OPERATIONS_TOKEN', 'DOCKER_GROUP']));
  });

  it('publishes ports to this machine alone', () => {
    const ports = Object.values(services).flatMap(({ ports: own }) => own ?? []);
    expect(ports).toEqual([expect.stringMatching(/^127\.0\.0\.1:/)]);
  });
});
