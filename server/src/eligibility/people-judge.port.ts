import type { JsonText } from '../platform/json/json-text.ts';
import type { DemandKind, SimpleDemand } from './demands.contract.ts';
import type { Eligibility, Show, Warning } from './eligibility.contract.ts';

/** In milliseconds, without `to` itself. */
export interface Window {
  from: number;
  to: number;
}

/** Where and for what; null: not asked. */
export interface Place {
  site: string | null;
  job_id: string | null;
  title: string | null;
}

/** A demand that counts for a question. */
export interface CountedDemand {
  /** Its source and its place there. */
  id: string;
  kind: DemandKind | 'any_of';
  value: SimpleDemand['value'];
  /** The requirement's key, or `request`. */
  source: string;
  any_of?: SimpleDemand[];
}

export interface Question {
  place: Place;
  demands: readonly CountedDemand[];
  window: Window;
}

/** A question about many, as plain data for another thread. */
export interface AskedPage extends Question {
  timezone: string;
  /** In milliseconds. */
  now: number;
  isRuntime: boolean;
  warnings: Warning[];
  show: Show;
  page: number;
  per_page: number;
}

/** Judges people apart from the main thread. */
export interface PeopleJudge {
  /**
   * Rejects with a ServiceError where the records or the answer are too large.
   * @param chunks texts of people as JSON, in the order of names
   */
  judge(page: AskedPage, chunks: AsyncIterable<string>): Promise<JudgedPage>;
}

export type JudgedPage = JsonText<Eligibility>;

/** Parts of one question, for a thread that runs judging-thread.ts. */
export type JudgeJob = { id: number } & (
  | { asked: AskedPage }
  | { people: string }
  | { ends: 'answer' | 'unasked' }
);

export interface Judged {
  answer?: string | undefined;
  /** For the caller, who can ask for less. */
  tooLarge?: string;
}
