// Runs in PeopleJudgeThread of the adapters.
import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { Judged, JudgeJob } from './people-judge.port.ts';
import { PeoplePage, TooLarge } from './people-page.ts';

/** Requests of others come first. */
const ADDED_NICENESS = 10;
const MAX_NICENESS = 19;

// Only Linux has priorities per thread, and a sandbox may forbid the call.
if (process.platform === 'linux') {
  try {
    setPriority(Math.min(getPriority() + ADDED_NICENESS, MAX_NICENESS));
  } catch {}
}

/** By the number of the question. */
const pages = new Map<number, PeoplePage>();

function work(job: JudgeJob): Judged {
  if ('asked' in job) pages.set(job.id, new PeoplePage(job.asked));
  if ('people' in job) pages.get(job.id)?.add(job.people);
  if (!('ends' in job)) return {};
  const answer = job.ends === 'answer' ? pages.get(job.id)?.answer() : undefined;
  pages.delete(job.id);
  return { answer };
}

parentPort?.on('message', (job: JudgeJob) => {
  try {
    parentPort?.postMessage({ result: work(job) });
  } catch (error) {
    pages.delete(job.id);
    const message = error instanceof Error ? error.message : String(error);
    parentPort?.postMessage(
      error instanceof TooLarge ? { result: { tooLarge: message } } : { error: message },
    );
  }
});
