import type { RuntimeReason } from '../instances/runtime-state.contract.ts';

/** An engine's own text may contain another tenant's data, and stays in the log. */
const reasonSentences: Readonly<Record<RuntimeReason, string>> = {
  unschedulable: 'No place had room for the runtime',
  image_pull_failed: 'The image of the runtime could not be fetched',
  spec_rejected: 'The engine refused to start the runtime',
  name_taken: 'The name of the runtime is taken by something else',
  start_timeout: 'The runtime did not start in time',
  crashed: 'The runtime ended by itself',
  out_of_memory: 'The runtime needed more memory than its tier allows',
  identity_refused: 'The runtime was refused its identity',
  evicted: 'The runtime was evicted',
  node_lost: 'The machine of the runtime was lost',
  cluster_unreachable: 'The cluster of the runtime could not be reached',
};

/** For events and tasks. @param last_line the runtime's own */
export const whyRuntimeFailed = (reason: RuntimeReason, last_line: string | null): string =>
  `${reasonSentences[reason]}${last_line === null ? '' : `: ${last_line}`}`;
