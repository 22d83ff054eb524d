import type { JsonObject } from '../platform/json/json-object.ts';
import type { StrippedKind } from './save-from-instance.contract.ts';

/** Ends of snake_case names. */
const ENDINGS: readonly [StrippedKind, RegExp][] = [
  ['api_key', /(?:^|_)(?:api_?keys?|proxy_keys?)$/],
  ['secret', /(?:^|_)(?:secrets?|tokens?|(?:signing|encryption|webhook|session|shared)_keys?)$/],
  [
    'credential',
    /(?:^|_)(?:credentials?|password|passwd|pass|pwd|passphrase|passcode|pin|(?:private|access|secret|account|ssh)_keys?(?:_pem)?|access_key_id|authorization|cookie|basic_auth|connection_string|dsn|connection_ids?)$/,
  ],
  ['customer_id', /(?:^|_)(?:customer|identity|external)_ids?$/],
  [
    'instance_id',
    /(?:^|_)(?:(?:instance|deployment|task|tenant)_ids?|tunnel_address|vpn_ip|runtime_address)$/,
  ],
  [
    'phone_number',
    /(?:^|_)(?:phones?|phone_numbers?|phone_number_ids?|mobile|msisdn|tel|telephone|fax|(?:whatsapp|sms|from|to)_numbers?|caller_id)$/,
  ],
];

/** Counts of a language model's tokens are no secret. */
const COUNTS = /(?:^|_)(?:max|min|total|input|output|prompt|completion|context|budget|stop|new)_tokens?$/;
/** STRIPE_KEY in the environment of a server. */
const VARIABLE = /^[A-Z][A-Z0-9_]*_KEY$/;

/** To a value elsewhere, also after the scheme of an Authorization header. */
const REFERENCE =
  /^(?:(?:Basic|Bearer|Token) )?(?:\$\{(?:(?:env|input):)?[A-Za-z_][\w-]*\}|%[A-Z_][A-Z\d_]*%|\{\{ ?[A-Za-z_][\w.-]* ?\}\})$/;

/** By the member's name; undefined without a value. */
export function kindByKey(key: string, value: unknown): StrippedKind | undefined {
  if (isEmpty(value) || (typeof value === 'string' && REFERENCE.test(value))) return undefined;
  if (VARIABLE.test(key)) return 'api_key';
  const name = snakeCase(key);
  const kind = ENDINGS.find(([, ending]) => ending.test(name))?.[0];
  if (kind === 'phone_number') return hasFiveDigits(value) ? kind : undefined;
  const isCount = COUNTS.test(name) || (typeof value === 'number' && name.endsWith('tokens'));
  return isCount ? undefined : kind;
}

/** Headers and environment variables: `{"name": "X-Api-Key", "value": …}`. */
export function kindByPair({ name, key }: JsonObject, value: unknown): StrippedKind | undefined {
  const kinds = [name, key].map((label) => (typeof label === 'string' ? kindByKey(label, value) : undefined));
  return kinds.find((kind) => kind !== undefined);
}

/** The argument after `--no-password` is not its value. */
const FLAG = /^--?(?!no-)[A-Za-z][\w-]*$/;
const ASSIGNMENT = /^((?:--?)?[A-Za-z][\w-]*)=(.+)$/s;
const HEADER_FLAG = /^(?:-H|--headers?)$/;
const HEADER = /^([A-Za-z][\w-]*):\s*(.+)$/s;

/** The argument after `--api-key` or `--header`, `--token=…` and `PASSWORD=…`. */
export function kindByArgument(before: unknown, item: unknown): StrippedKind | undefined {
  if (typeof item !== 'string') return undefined;
  const flag = typeof before === 'string' && FLAG.test(before) ? before : undefined;
  const header = flag !== undefined && HEADER_FLAG.test(flag) ? HEADER.exec(item) : null;
  const [, name, value] = header ?? ASSIGNMENT.exec(item) ?? [];
  if (name !== undefined) return kindByKey(name, value);
  return flag !== undefined && !item.startsWith('-') ? kindByKey(flag, item) : undefined;
}

const isEmpty = (value: unknown) =>
  value === null ||
  typeof value === 'boolean' ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** Unlike `{"phone": "optional"}`. */
function hasFiveDigits(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasFiveDigits);
  const isText = typeof value === 'string' || typeof value === 'number';
  return isText && String(value).replaceAll(/\D/g, '').length >= 5;
}

const snakeCase = (key: string) =>
  key
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z\d]+/g, '_')
    .toLowerCase();
