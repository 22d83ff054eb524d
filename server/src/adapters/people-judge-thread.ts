import { extname, join } from 'node:path';
import type {
  AskedPage,
  Judged,
  JudgedPage,
  JudgeJob,
  PeopleJudge,
} from '../eligibility/people-judge.port.ts';
import { conflict } from '../platform/errors.ts';
import { JsonText } from '../platform/json/json-text.ts';
import { WorkThread } from './work-thread.ts';

const SCRIPT = join(import.meta.dirname, `../eligibility/judging-thread${extname(import.meta.filename)}`);

/**
 * One low-priority thread, which judges some hundred people at a time, so a question about fifty thousand delays one
 * about ten by milliseconds.
 */
export class PeopleJudgeThread implements PeopleJudge {
  readonly #thread = new WorkThread<JudgeJob, Judged>('eligibility', SCRIPT);
  #questions = 0;

  async judge(asked: AskedPage, chunks: AsyncIterable<string>): Promise<JudgedPage> {
    const id = ++this.#questions;
    try {
      await this.#run({ id, asked });
      for await (const people of chunks) await this.#run({ id, people });
      return new JsonText((await this.#run({ id, ends: 'answer' })).answer ?? '');
    } catch (error) {
      await this.#thread.run({ id, ends: 'unasked' });
      throw error;
    }
  }

  async #run(job: JudgeJob): Promise<Judged> {
    const judged = await this.#thread.run(job);
    if (judged.tooLarge !== undefined) throw conflict(judged.tooLarge);
    return judged;
  }
}
