import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Config, ConfigError, readConfig } from '../src/config.ts';

interface Setting {
  /** Where the setting ends up. */
  read: (config: Config) => unknown;
  /** What it is when nothing is said, or said to be nothing. */
  otherwise?: unknown;
  /** Texts, and what they are read as. */
  good: readonly (readonly [text: string, value: unknown])[];
  bad: readonly string[];
  /** What else has to be set for it. */
  beside?: Record<string, string>;
}

const KEY = randomBytes(32);
const MASTER_KEY = KEY.toString('base64');
const OPERATIONS_TOKEN = 'a-token-of-16-or-more';
const noPort = ['-1', '65536', '80.5', 'http', 'NaN', 'Infinity'];
const noUrl = ['example.com', 'ftp://example.com', '/path', 'http://', 'javascript:alert(1)'];

const settings: Record<string, Setting> = {
  HOST: {
    read: (config) => config.host,
    otherwise: '127.0.0.1',
    good: [
      ['0.0.0.0', '0.0.0.0'],
      ['::1', '::1'],
    ],
    bad: [],
  },
  PORT: {
    read: (config) => config.port,
    otherwise: 8080,
    good: [
      ['0', 0],
      ['80', 80],
      ['65535', 65_535],
    ],
    bad: noPort,
  },
  DATA_DIR: {
    read: (config) => config.data_dir,
    otherwise: resolve('data'),
    good: [
      ['/var/lib/acp', '/var/lib/acp'],
      ['here', resolve('here')],
    ],
    bad: [],
  },
  DATABASE_URL: {
    read: (config) => config.database_url,
    otherwise: undefined,
    good: [
      ['postgres://u:p@db/acp', 'postgres://u:p@db/acp'],
      ['postgresql://db/acp?sslmode=require', 'postgresql://db/acp?sslmode=require'],
    ],
    bad: ['mysql://db/acp', 'db.example.com', 'http://db', ' '],
    beside: { MASTER_KEY, OPERATIONS_TOKEN },
  },
  OPERATIONS_TOKEN: {
    read: (config) => config.operations_token,
    good: [
      [OPERATIONS_TOKEN, OPERATIONS_TOKEN],
      ['', undefined],
    ],
    bad: ['short', 'with a space in the middle', ' '.repeat(20)],
  },
  MASTER_KEY: {
    read: (config) => config.master_key?.toString('hex'),
    otherwise: undefined,
    good: [
      [MASTER_KEY, KEY.toString('hex')],
      [MASTER_KEY.replace('=', ''), KEY.toString('hex')],
      [KEY.toString('base64url'), KEY.toString('hex')],
    ],
    bad: [
      randomBytes(31).toString('base64'),
      randomBytes(33).toString('base64'),
      KEY.toString('hex'),
      'secret',
      ' ',
    ],
  },
  LLM_BASE_URL: {
    read: (config) => config.llm?.base_url,
    otherwise: undefined,
    good: [
      ['https://llm.example.com/v1/', 'https://llm.example.com/v1'],
      ['http://localhost:1', 'http://localhost:1'],
    ],
    bad: noUrl,
    beside: { LLM_MODEL: 'm' },
  },
  LLM_MODEL: {
    read: (config) => config.llm?.model,
    good: [['gpt', 'gpt']],
    bad: [''],
    beside: { LLM_BASE_URL: 'http://llm' },
  },
  LLM_API_KEY: {
    read: (config) => config.llm?.api_key,
    otherwise: '',
    good: [['sk-1', 'sk-1']],
    bad: [],
    beside: { LLM_BASE_URL: 'http://llm', LLM_MODEL: 'm' },
  },
  CHATAPP_API_BASE_URL: {
    read: (config) => config.chatapp_api_base_url,
    otherwise: 'https://graph.facebook.com/v23.0',
    good: [['http://localhost:9/', 'http://localhost:9']],
    bad: noUrl,
  },
  GOOGLE_DRIVE_BASE_URL: {
    read: (config) => config.drive.google.base_url,
    otherwise: 'https://www.googleapis.com',
    good: [['http://localhost:9/', 'http://localhost:9']],
    bad: noUrl,
  },
  GOOGLE_TOKEN_URL: {
    read: (config) => config.drive.google.token_url,
    otherwise: 'https://oauth2.googleapis.com/token',
    good: [['http://localhost:9/token', 'http://localhost:9/token']],
    bad: noUrl,
  },
  DRIVE_FILESYSTEM_ROOT: {
    read: (config) => config.drive.filesystem_root,
    otherwise: resolve('data/drive'),
    good: [['/srv/drive', '/srv/drive']],
    bad: [],
  },
  CA_CERT_FILE: {
    read: (config) => config.ca?.cert_file,
    good: [['/etc/acp/ca.pem', '/etc/acp/ca.pem']],
    bad: [''],
    beside: { CA_KEY_FILE: '/etc/acp/ca.key' },
  },
  CA_KEY_FILE: {
    read: (config) => config.ca?.key_file,
    good: [['ca.key', resolve('ca.key')]],
    bad: [''],
    beside: { CA_CERT_FILE: '/etc/acp/ca.pem' },
  },
  TRUST_DOMAIN: {
    read: (config) => config.trust_domain,
    otherwise: 'agent-control-plane.internal',
    good: [['acp.example.com', 'acp.example.com']],
    bad: ['ACP.example.com', 'a/b', 'a b', ' ', 'a'.repeat(256)],
  },
  PROVISIONER: {
    read: (config) => config.provisioner,
    otherwise: 'process',
    good: [['process', 'process']],
    bad: ['docker', 'Process'],
  },
  ROLE: {
    read: (config) => config.role,
    otherwise: 'all',
    good: [
      ['all', 'all'],
      ['api', 'api'],
      ['worker', 'worker'],
    ],
    bad: ['jobs', 'API'],
  },
  LOG_LEVEL: {
    read: (config) => config.log_level,
    otherwise: 'info',
    good: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map((level) => [level, level]),
    bad: ['verbose', 'INFO'],
  },
};

const refusal = (env: Record<string, string>): unknown => {
  try {
    readConfig(env);
    return undefined;
  } catch (error) {
    return error;
  }
};

describe.each(Object.entries(settings))('%s', (name, { read, otherwise, good, bad, beside = {} }) => {
  it.each(good)('%j is taken', (text, value) => {
    expect(read(readConfig({ ...beside, [name]: text }))).toEqual(value);
  });

  it.runIf(bad.length > 0).each([...bad])('%j stops the start with one line that names it', (text) => {
    const error = refusal({ ...beside, [name]: text });
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as Error).message).toMatch(new RegExp(`^${name} .+$`));
  });

  it('may be left out where it has a default', () => {
    if (bad.includes('')) return;
    expect(read(readConfig(beside))).toEqual(otherwise);
  });
});

it('every setting that the code reads stands in the table above', async () => {
  const text = await readFile(join(import.meta.dirname, '../src/config.ts'), 'utf8');
  const read = new Set(text.match(/\b[A-Z][A-Z0-9]*_[A-Z_]+\b|(?<=env\.)[A-Z]+\b/g));
  const constants = new Set(text.match(/(?<=^const )[A-Z_]+/gm));
  const unknown = [...read].filter((name) => !constants.has(name) && settings[name] === undefined);
  expect(unknown, 'Add what is good and bad for it to `settings`').toEqual([]);
  expect(Object.keys(settings).filter((name) => !read.has(name))).toEqual([]);
});

describe('a server database', () => {
  const database = { DATABASE_URL: 'postgres://db/acp' };
  it('needs MASTER_KEY', () => {
    expect(refusal({ ...database, OPERATIONS_TOKEN })).toMatchObject({
      message: expect.stringMatching(/^MASTER_KEY is required .+$/),
    });
  });
});

it('repeats no secret in a refusal', () => {
  const secrets = {
    MASTER_KEY: 'hunter2-hunter2',
    OPERATIONS_TOKEN: 'hunter2 hunter2',
    DATABASE_URL: 'db://u:hunter2@db',
  };
  for (const [name, text] of Object.entries(secrets)) {
    expect((refusal({ MASTER_KEY, OPERATIONS_TOKEN, [name]: text }) as Error).message).not.toContain(
      'hunter2',
    );
  }
});
