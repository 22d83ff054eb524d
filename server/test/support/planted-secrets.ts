import { withConnection } from './connection.ts';

interface Secret {
  name: string;
  needles: readonly Buffer[];
}

export class PlantedSecrets {
  readonly #secrets: Secret[] = [];

  /**
   * Texts must need no escaping in URLs and JSON, and be too long to occur by chance.
   *
   * @param name for reports
   */
  plant<T extends string | Buffer>(name: string, secret: T): T {
    this.#secrets.push({ name, needles: needlesOf(Buffer.from(secret as string)) });
    return secret;
  }

  /** @returns the names of secrets in the content, without the allowed ones */
  foundIn(where: string, content: string | Buffer, allowed: readonly string[] = []): string[] {
    const bytes = Buffer.from(content as string);
    return this.#secrets
      .filter(({ name, needles }) => !allowed.includes(name) && needles.some((one) => bytes.includes(one)))
      .map(({ name }) => `${name} in ${where}`);
  }
}

function needlesOf(secret: Buffer): Secret['needles'] {
  const hex = secret.toString('hex');
  // In a longer text, base64 may begin at any of three offsets.
  const base64 = [0, 1, 2].map((before) => base64At(secret, before));
  const base64url = base64.map((digits) => digits.replaceAll('+', '-').replaceAll('/', '_'));
  const texts = [hex, hex.toUpperCase(), ...base64, ...base64url];
  return [secret, ...texts.map((text) => Buffer.from(text))];
}

/** The base64 digits that depend on the secret alone, after `before` bytes of something else. */
function base64At(secret: Buffer, before: number): string {
  const digits = Buffer.concat([Buffer.alloc(before), secret]).toString('base64');
  const ownFrom = Math.ceil((before * 8) / 6);
  const ownTo = Math.floor(((before + secret.length) * 8) / 6);
  return digits.slice(ownFrom, ownTo);
}

/** Every row of every table as text; bytes are hexadecimal. */
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
