import type { Usage } from '@agent-control-plane/sdk';
import { money } from './money.ts';

export type UsageItem = Usage['items'][number];
export type UsageSums = Usage['total'];

/** Days in UTC, both included. */
export interface Span {
  from: string;
  to: string;
}

const DAY_MS = 86_400_000;

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const monthOf = (year: number, month: number): Span => ({
  from: dayOf(Date.UTC(year, month, 1)),
  to: dayOf(Date.UTC(year, month + 1, 0)),
});

export type Period = 'month' | 'last_month' | 'week' | 'thirty';

export function spanOf(period: Period, today: string): Span {
  const now = Date.parse(today);
  const [year, month] = [new Date(now).getUTCFullYear(), new Date(now).getUTCMonth()];
  return {
    month: monthOf(year, month),
    last_month: monthOf(year, month - 1),
    week: { from: dayOf(now - 6 * DAY_MS), to: today },
    thirty: { from: dayOf(now - 29 * DAY_MS), to: today },
  }[period];
}

export const PERIODS = ['month', 'last_month', 'week', 'thirty'] as const;

/** Undefined for days that somebody chose. */
export const periodOf = ({ from, to }: Span, today: string): Period | undefined =>
  PERIODS.find((period) => {
    const span = spanOf(period, today);
    return span.from === from && span.to === to;
  });

/** Daily sums are kept for two years. */
const MOST_DAYS = 731;

export function daysOf({ from, to }: Span): readonly string[] {
  const length = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
  const days = Math.min(MOST_DAYS, Math.max(0, length));
  return Array.from({ length: days }, (_, at) => dayOf(Date.parse(from) + at * DAY_MS));
}

export const GROUPS = ['model', 'customer', 'instance', 'recipe', 'day'] as const;
export type Group = (typeof GROUPS)[number];

const FIELDS = {
  model: 'model',
  customer: 'customer_id',
  instance: 'instance_id',
  recipe: 'recipe_id',
  day: 'day',
} as const;

/** The last answer stays while one of another group is asked for; its rows say what they are of. */
export const groupOf = (items: readonly UsageItem[], asked: Group): Group => {
  const [first] = items;
  if (first === undefined || FIELDS[asked] in first) return asked;
  return GROUPS.find((group) => FIELDS[group] in first) ?? asked;
};

/** Identifies the row of a group; empty for what was erased. */
export const keyOf = (group: Group, item: UsageItem): string => item[FIELDS[group]] ?? '';

export const nameOf = (group: Group, item: UsageItem): string =>
  ({
    model: item.model,
    customer: item.customer_name ?? (item.customer_id === null ? 'Customers that were erased' : undefined),
    instance: item.hostname,
    recipe: item.recipe_name ?? 'A recipe that was deleted',
    day: item.day,
  })[group] ?? 'Without a name';

export const MEASURES = ['cost', 'tokens', 'calls'] as const;
export type Measure = (typeof MEASURES)[number];

export const measured = (measure: Measure, { cost, input_tokens, output_tokens, calls }: UsageSums): number =>
  ({ cost: Number(cost ?? 0), tokens: input_tokens + output_tokens, calls })[measure];

const compactFormat = new Intl.NumberFormat('en-US', {
  notation: 'compact',
  maximumFractionDigits: 1,
});

/** "31.4M", "940". */
export const compact = (n: number): string => compactFormat.format(n);

export const formatOf = (measure: Measure): ((value: number) => string) =>
  ({ cost: money, tokens: compact, calls: compact })[measure];

/** Unknown is not zero: models without a price cost something, too. */
export const costOf = ({ cost, calls, unpriced_calls }: UsageSums): string => {
  if (cost !== null) return money(cost);
  return calls === 0 || unpriced_calls === 0 ? money(0) : 'unknown';
};

/** As many as have a colour of their own; the others are one part. */
const PARTS = 4;

/** The groups with the most, which the chart tells apart. */
export const largest = (items: readonly UsageItem[], measure: Measure, group: Group): readonly UsageItem[] =>
  sorted(items, measure, group)
    .filter((item) => keyOf(group, item) !== '' && measured(measure, item) > 0)
    .slice(0, PARTS);

/** Days newest first, all else the most first. */
export const sorted = (items: readonly UsageItem[], measure: Measure, group: Group): readonly UsageItem[] =>
  items.toSorted((a, b) =>
    group === 'day'
      ? (b.day ?? '').localeCompare(a.day ?? '')
      : measured(measure, b) - measured(measure, a) || b.calls - a.calls,
  );

/** A day's value, by the key of its group and by its day. */
export type Daily = ReadonlyMap<string, ReadonlyMap<string, number>>;

export function dailyOf(items: readonly UsageItem[], group: Group, measure: Measure): Daily {
  const daily = new Map<string, Map<string, number>>();
  for (const item of items) {
    const key = keyOf(group, item);
    const days = daily.get(key) ?? new Map<string, number>();
    days.set(item.day ?? '', measured(measure, item));
    daily.set(key, days);
  }
  return daily;
}

/** The values of each day: those of the named groups, then all others together where there are any. */
export function stackOf(
  days: readonly string[],
  keys: readonly string[],
  daily: Daily,
  totals: ReadonlyMap<string, number>,
): { hasOthers: boolean; values: readonly (readonly number[])[] } {
  const rows = days.map((day) => {
    const values = keys.map((key) => daily.get(key)?.get(day) ?? 0);
    const others = (totals.get(day) ?? 0) - values.reduce((sum, value) => sum + value, 0);
    return { values, others: others > (totals.get(day) ?? 0) * 1e-9 ? others : 0 };
  });
  const hasOthers = rows.some(({ others }) => others > 0);
  return { hasOthers, values: rows.map(({ values, others }) => (hasOthers ? [...values, others] : values)) };
}
