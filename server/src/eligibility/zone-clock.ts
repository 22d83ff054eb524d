import { formats } from '../platform/contract/formats.ts';
import { wallClockMs } from '../workforce/expiry.ts';

export const DAY_MS = 86_400_000;
const DAY_LENGTH = 10;
const HAS_OFFSET = /(Z|[+-]\d\d:\d\d)$/;
/** Days repeat among certificates; more than these are of somebody who writes times. */
const MOST_KEPT = 10_000;

/** Days and times of one time zone as moments, in milliseconds. */
export class ZoneClock {
  readonly timezone: string;
  readonly #starts = new Map<string, number>();

  constructor(timezone: string) {
    this.timezone = timezone;
  }

  /** The first moment of a day: clocks may skip midnight, or show it twice. @param day YYYY-MM-DD */
  startOfDay(day: string): number {
    const known = this.#starts.get(day);
    if (known !== undefined) return known;
    const start = Math.min(...this.#momentsAt(Date.parse(day)));
    if (this.#starts.size >= MOST_KEPT) this.#starts.clear();
    this.#starts.set(day, start);
    return start;
  }

  endOfDay(day: string): number {
    return this.startOfDay(new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, DAY_LENGTH));
  }

  dayOf(moment: number): string {
    return new Date(this.wall(moment)).toISOString().slice(0, DAY_LENGTH);
  }

  /** As if the wall clock were UTC. */
  wall(moment: number): number {
    return wallClockMs(new Date(moment), this.timezone);
  }

  /** A day from its first moment, or a time; undefined for what is neither. */
  startOf(text: unknown): number | undefined {
    return this.#read(text, (day) => this.startOfDay(day));
  }

  /** A day to its last moment, or a time. Of a time that clocks show twice, the first: an end is never later than meant. */
  endOf(text: unknown): number | undefined {
    return this.#read(text, (day) => this.endOfDay(day));
  }

  /** `2026-11-20` for the first moment of the day, else `2026-11-20 14:30`. */
  startInWords(moment: number): string {
    const wall = this.wall(moment);
    return wall % DAY_MS === 0 ? this.dayOf(moment) : minuteOf(wall);
  }

  /** The day that ends then, else `2026-11-20 14:30`. */
  endInWords(moment: number): string {
    const wall = this.wall(moment);
    return wall % DAY_MS === 0 ? this.dayOf(moment - 1) : minuteOf(wall);
  }

  #read(text: unknown, ofDay: (day: string) => number): number | undefined {
    if (typeof text !== 'string' || formats.expiry?.(text) !== true) return undefined;
    if (text.length === DAY_LENGTH) return ofDay(text);
    const iso = text.toUpperCase().replace(' ', 'T');
    return HAS_OFFSET.test(iso) ? Date.parse(iso) : Math.min(...this.#momentsAt(Date.parse(`${iso}Z`)));
  }

  /** One moment; two where clocks go back. Where they skip the time, the moment of the change. */
  #momentsAt(wall: number): number[] {
    const offsets = [wall - DAY_MS, wall + DAY_MS].map((moment) => this.wall(moment) - moment);
    const moments = offsets.map((offset) => wall - offset);
    const shown = moments.filter((moment) => this.wall(moment) === wall);
    return shown.length > 0 ? shown : moments.slice(0, 1);
  }
}

const minuteOf = (wall: number) => new Date(wall).toISOString().slice(0, 16).replace('T', ' ');
