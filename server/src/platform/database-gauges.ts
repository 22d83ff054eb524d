import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';

export interface Reading {
  gauge: string;
  /** The values of the labels with slashes between them; empty without labels. */
  label: string;
  value: number;
}

export interface GaugeKind {
  /** As in readings. */
  gauge: string;
  name: string;
  help: string;
  labels?: {
    names: readonly string[];
    /** As in readings; exported even at 0. */
    known: readonly string[];
  };
}

/** A scrape must answer while the database does not. */
const TIMEOUT_MS = 2000;

/**
 * One statement reads all gauges for the scrapes of a few seconds. While the database does not answer, they are omitted
 * and `acp_database_up` is 0.
 */
export class DatabaseGauges {
  readonly #read: () => Promise<readonly Reading[]>;
  readonly #cacheMs: number;
  #reading: Promise<readonly Reading[] | undefined> | undefined;

  constructor(
    registry: Registry,
    kinds: readonly GaugeKind[],
    read: () => Promise<readonly Reading[]>,
    cacheMs = 5000,
  ) {
    this.#read = read;
    this.#cacheMs = cacheMs;
    for (const kind of kinds) this.#register(registry, kind);
    const up: Gauge = new Gauge({
      name: 'acp_database_up',
      help: 'Whether the database answered this scrape; while it does not, the gauges that are read from it are left out',
      registers: [registry],
      collect: async () => up.set(Number((await this.#readings()) !== undefined)),
    });
  }

  #register(registry: Registry, { gauge: of, name, help, labels }: GaugeKind): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: labels?.names ?? [],
      registers: [registry],
      collect: async () => {
        const readings = await this.#readings();
        if (labels) gauge.reset();
        else gauge.remove();
        if (!readings) return;
        const labelsOf = (label: string) => {
          const values = label.split('/');
          return Object.fromEntries((labels?.names ?? []).map((each, index) => [each, values[index] ?? '']));
        };
        for (const known of labels?.known ?? []) gauge.set(labelsOf(known), 0);
        for (const reading of readings) {
          if (reading.gauge === of) gauge.set(labelsOf(reading.label), reading.value);
        }
      },
    });
  }

  /** Shared by the gauges of a scrape and by scrapes of a few seconds. */
  async #readings(): Promise<readonly Reading[] | undefined> {
    this.#reading ??= this.#begin();
    return Promise.race([this.#reading, sleep(TIMEOUT_MS, undefined, { ref: false })]);
  }

  async #begin(): Promise<readonly Reading[] | undefined> {
    const readings = await this.#read().catch(() => undefined);
    setTimeout(() => (this.#reading = undefined), this.#cacheMs).unref();
    return readings;
  }
}
