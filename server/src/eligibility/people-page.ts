import type { Eligibility } from './eligibility.contract.ts';
import { judge, unblocksAt } from './judge.ts';
import type { AskedPage, CountedDemand, Question } from './people-judge.port.ts';
import { PersonRecord, type StoredPerson } from './person-record.ts';
import { type Reader, toReason, wire } from './reasons.ts';
import { ZoneClock } from './zone-clock.ts';

/** Limit of the text that is read; beyond it a question has to name people. */
const MOST_BYTES = 256 * 1024 * 1024;
/** Limit of an answer. */
const MOST_ANSWER_BYTES = 4 * 1024 * 1024;

/** Told to the caller, who can ask for less. */
export class TooLarge extends Error {}

/** Where a person stands: which of the texts, and which element of it. */
type Position = readonly [chunk: number, index: number];

/** The verdicts of all people, and the reasons of a page. People come in the order of names, in texts of some hundred. */
export class PeoplePage {
  readonly #asked: AskedPage;
  readonly #clock: ZoneClock;
  readonly #chunks: string[] = [];
  #bytes = 0;
  readonly #eligible: Position[] = [];
  /** Not eligible or unknown. */
  readonly #others: Position[] = [];
  readonly #ineligible: Position[] = [];
  #unknown = 0;

  constructor(asked: AskedPage) {
    this.#asked = asked;
    this.#clock = new ZoneClock(asked.timezone);
  }

  /** @param chunk JSON of people */
  add(chunk: string): void {
    this.#bytes += chunk.length;
    if (this.#bytes > MOST_BYTES)
      throw new TooLarge('These people’s records are too many: name some in person_ids');
    const place = this.#chunks.push(chunk) - 1;
    (JSON.parse(chunk) as StoredPerson[]).forEach((stored, index) => {
      const { eligible } = judge(new PersonRecord(stored, this.#clock), this.#asked);
      const position = [place, index] as const;
      if (eligible === true) this.#eligible.push(position);
      else this.#others.push(position);
      if (eligible === false) this.#ineligible.push(position);
      if (eligible === null) this.#unknown++;
    });
  }

  /** The answer as JSON. */
  answer(): string {
    const { window, timezone, now, warnings, demands, page, per_page } = this.#asked;
    const shown = this.#shown();
    const answer: Eligibility = {
      from: new Date(window.from).toISOString(),
      to: new Date(window.to).toISOString(),
      timezone,
      evaluated_at: new Date(now).toISOString(),
      demands: demands.map(withoutUndefined),
      totals: {
        eligible: this.#eligible.length,
        ineligible: this.#ineligible.length,
        unknown: this.#unknown,
      },
      people: this.#peopleAt(shown.slice((page - 1) * per_page, page * per_page)),
      warnings,
      page,
      per_page,
      total: shown.length,
    };
    const text = JSON.stringify(answer);
    if (Buffer.byteLength(text) > MOST_ANSWER_BYTES)
      throw new TooLarge('The reasons of this page are over 4 MiB: ask for fewer people with per_page');
    return text;
  }

  #shown(): readonly Position[] {
    const { show } = this.#asked;
    if (show === 'eligible') return this.#eligible;
    return show === 'ineligible' ? this.#ineligible : [...this.#eligible, ...this.#others];
  }

  #peopleAt(positions: readonly Position[]) {
    let [at, people]: [number, StoredPerson[]] = [-1, []];
    const reader = { clock: this.#clock, isRuntime: this.#asked.isRuntime };
    return positions.flatMap(([chunk, index]) => {
      if (chunk !== at) [at, people] = [chunk, JSON.parse(this.#chunks[chunk] ?? '[]') as StoredPerson[]];
      const stored = people[index];
      return stored ? [standingOf(new PersonRecord(stored, this.#clock), this.#asked, reader)] : [];
    });
  }
}

const withoutUndefined = ({ id, kind, value, source, any_of }: CountedDemand) => ({
  id,
  kind,
  value,
  source,
  ...(any_of && { any_of }),
});

function standingOf(person: PersonRecord, question: Question, reader: Reader) {
  const { eligible, gaps, eligible_until } = judge(person, question);
  return {
    person_id: person.id,
    name: person.name,
    eligible,
    reasons: gaps.map(({ gap, demand_id }) => toReason(gap, demand_id, reader)),
    eligible_until: wire(eligible_until),
    unblocks_at: eligible === false ? wire(unblocksAt(person, question)) : null,
  };
}
