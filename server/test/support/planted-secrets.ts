import { withConnection } from './connection.ts';

interface Secret {
  name: string;
  needles: readonly Buffer[];
}

/** Secrets that were put in somewhere, and must not come out anywhere else. */
export class PlantedSecrets {
  readonly #secrets: Secret[] = [];

  /**
   * A secret, by its name in what a test reports. A text is to be such as URLs and JSON write as it is, and long enough
   * to be there by intent alone. @returns it
   */
  plant<T extends string | Buffer>(name: string, secret: T): T {
    this.#secrets.push({ name, needles: needlesOf(Buffer.from(secret as string)) });
    return secret;
  }

  /** Which secrets stand there; without those that may. */
  foundIn(where: string, content: string | Buffer, allowed: readonly string[] = []): string[] {
    const bytes = Buffer.from(content as string);
    return this.#secrets
      .filter(({ name, needles }) => !allowed.includes(name) && needles.some((one) => bytes.includes(one)))
      .map(({ name }) => `${name} in ${where}`);
  }
}

/** A secret as it is, and as hexadecimal digits and base64 write it. */
function needlesOf(secret: Buffer): Secret['needles'] {
  const hex = secret.toString('hex');
  // Inside of something longer, it may begin at any of the three places of a group.
  const base64 = [0, 1, 2].map((before) => base64At(secret, before));
  const base64url = base64.map((digits) => digits.replaceAll('+', '-').replaceAll('/', '_'));
  const texts = [hex, hex.toUpperCase(), ...base64, ...base64url];
  return [secret, ...texts.map((text) => Buffer.from(text))];
}

/** The digits of base64 that depend on the secret alone, when `before` bytes of the group before it are another's. */
function base64At(secret: Buffer, before: number): string {
  const digits = Buffer.concat([Buffer.alloc(before), secret]).toString('base64');
  const ownFrom = Math.ceil((before * 8) / 6);
  const ownTo = Math.floor(((before + secret.length) * 8) / 6);
  return digits.slice(ownFrom, ownTo);
}

/** Every row of every table, the job queue's too, as PostgreSQL writes it; bytes are hexadecimal digits then. */
export const dumpDatabase = (url: string): Promise<{ table: string; text: string }[]> =>
  withConnection(url, async (client) => {
    const { rows: tables } = await client.query<{ table: string }>(
      `select format('%I.%I', table_schema, table_name) as table from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1`,
    );
    const dump = [];
    for (const { table } of tables) {
      const { rows } = await client.query<{ text: string }>(`select t::text as text from ${table} t`);
      dump.push({ table, text: rows.map(({ text }) => text).join('\n') });
    }
    return dump;
  });
