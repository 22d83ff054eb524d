import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';

/** One value of a gauge. */
export interface Reading {
  gauge: string;
  /** Empty for a gauge without labels. */
  label: string;
  value: number;
}

/** A gauge that is read from the database. */
export interface GaugeKind {
  /** As readings name it. */
  gauge: string;
  name: string;
  help: string;
  /** Its label, with the values that are shown also while nothing has them. */
  label?: { name: string; known: readonly string[]; also?: Readonly<Record<string, string>> };
}

/** A scrape answers also while the database does not. */
const WITHIN_MS = 2000;

/**
 * Gauges that one statement reads for all scrapes of a few seconds. While the database does not answer they are left out,
 * and `acp_database_up` is 0.
 */
export class DatabaseGauges {
  readonly #read: () => Promise<readonly Reading[]>;
  readonly #keptMs: number;
  #reading: Promise<readonly Reading[] | undefined> | undefined;

  constructor(
    registry: Registry,
    kinds: readonly GaugeKind[],
    read: () => Promise<readonly Reading[]>,
    keptMs = 5000,
  ) {
    this.#read = read;
    this.#keptMs = keptMs;
    for (const kind of kinds) this.#register(registry, kind);
    const up: Gauge = new Gauge({
      name: 'acp_database_up',
      help: 'Whether the database answered this scrape; while it does not, the gauges that are read from it are left out',
      registers: [registry],
      collect: async () => up.set(Number((await this.#readings()) !== undefined)),
    });
  }

  #register(registry: Registry, { gauge: of, name, help, label }: GaugeKind): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: label ? [label.name, ...Object.keys(label.also ?? {})] : [],
      registers: [registry],
      collect: async () => {
        const readings = await this.#readings();
        if (label) gauge.reset();
        else gauge.remove();
        if (!readings) return;
        const labelsOf = (value: string) => (label ? { [label.name]: value, ...label.also } : {});
        for (const known of label?.known ?? []) gauge.set(labelsOf(known), 0);
        for (const reading of readings) {
          if (reading.gauge === of) gauge.set(labelsOf(reading.label), reading.value);
        }
      },
    });
  }

  /** Gauges of one scrape, and scrapes of a few seconds, share a reading. */
  async #readings(): Promise<readonly Reading[] | undefined> {
    this.#reading ??= this.#begin();
    return Promise.race([this.#reading, sleep(WITHIN_MS, undefined, { ref: false })]);
  }

  async #begin(): Promise<readonly Reading[] | undefined> {
    const readings = await this.#read().catch(() => undefined);
    setTimeout(() => (this.#reading = undefined), this.#keptMs).unref();
    return readings;
  }
}
