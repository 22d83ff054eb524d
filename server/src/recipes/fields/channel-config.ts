import Type from 'typebox';
import { isJsonObject, type JsonObject } from '../../platform/json/json-object.ts';
import type { ActingKeys } from './acting-key.ts';
import { readKey } from './read-key.ts';

const text = { by: 'control_plane', shape: Type.String(), expected: 'a text' } as const;
/** From and to, `HH:MM`; to may be `24:00`. */
const Interval = Type.Tuple([
  Type.String({ pattern: '^(?:[01]\\d|2[0-3]):[0-5]\\d$' }),
  Type.String({ pattern: '^(?:(?:[01]\\d|2[0-3]):[0-5]\\d|24:00)$' }),
]);
const Intervals = Type.Optional(Type.Union([Type.Array(Interval, { maxItems: 24 }), Type.Null()]));
/** Days that are absent or null are closed. */
const OpeningTimes = Type.Object(
  {
    mon: Intervals,
    tue: Intervals,
    wed: Intervals,
    thu: Intervals,
    fri: Intervals,
    sat: Intervals,
    sun: Intervals,
  },
  { additionalProperties: false },
);
type Day = 'sun' | 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat';
export type OpeningTimes = Partial<Record<Day, Interval[] | null>>;
export type Interval = [from: string, to: string];

const endsLater = (times: unknown): boolean =>
  Object.values(times as OpeningTimes)
    .flatMap((intervals) => intervals ?? [])
    .every(([from, to]) => from < to);

export const CHANNEL_CONFIG_KEYS = {
  greeting: text,
  away_message: text,
  business_hours: {
    by: 'control_plane',
    shape: OpeningTimes,
    expected: 'opening times by day, as {"mon": [["09:00", "17:00"]]}',
    isValid: endsLater,
  },
  burst_seconds: {
    by: 'control_plane',
    shape: Type.Number({ minimum: 0, maximum: 30 }),
    expected: 'a number from 0 to 30',
  },
  echo_minutes: {
    by: 'control_plane',
    shape: Type.Integer({ minimum: 0, maximum: 1440 }),
    expected: 'a whole number from 0 to 1440',
  },
} satisfies ActingKeys;

export interface ChannelConfig {
  greeting: string | undefined;
  away_message: string | undefined;
  business_hours: OpeningTimes | undefined;
  burst_seconds: number;
  /** How long a colleague's words on the phone keep the agent silent; 0: not at all. */
  echo_minutes: number;
}

const ECHO_MINUTES = 60;

/** Empty texts are undefined. */
export function readChannelConfig({ channel_config }: JsonObject): ChannelConfig {
  const config: JsonObject = isJsonObject(channel_config) ? channel_config : {};
  const { greeting, away_message, business_hours, burst_seconds, echo_minutes } = CHANNEL_CONFIG_KEYS;
  return {
    greeting: readKey(greeting, config.greeting) || undefined,
    away_message: readKey(away_message, config.away_message) || undefined,
    business_hours: readKey(business_hours, config.business_hours),
    burst_seconds: readKey(burst_seconds, config.burst_seconds) ?? 0,
    echo_minutes: readKey(echo_minutes, config.echo_minutes) ?? ECHO_MINUTES,
  };
}
