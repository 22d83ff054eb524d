import type { DeployCheckResult } from '@agent-control-plane/sdk';
import type { Output } from './output.ts';
import { printable } from './text.ts';

type Plan = Pick<DeployCheckResult, 'violations' | 'missing_connections'>;

/** Part of the answer, and so neither a note nor silenced by --quiet. */
export function printViolations(output: Output, violations: Plan['violations']): void {
  for (const violation of violations) output.line(printable(violationText(violation)));
}

/** Many messages begin with the path. */
export const violationText = ({ path, message, code }: Plan['violations'][number]): string =>
  `violation: ${message.includes(path) ? '' : `${path}: `}${message} (${code})`;

export const missingText = ({ provider, name, reason }: Plan['missing_connections'][number]): string =>
  `${provider}${name === null ? '' : ` ${name}`} (${reason})`;

export const missingTexts = ({ missing_connections }: Pick<Plan, 'missing_connections'>): string =>
  missing_connections.map(missingText).join(', ');

/** @returns ", with 2 violations …", or nothing */
export const withViolations = ({ length }: Plan['violations']): string =>
  length === 0 ? '' : `, with ${length} ${length === 1 ? 'violation' : 'violations'}: they have no effect`;
