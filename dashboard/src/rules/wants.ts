import type { Result } from '@agent-control-plane/sdk';
import type { Shape, Tone } from './status.ts';
import { plural } from './words.ts';

export type Need = Result<'get_overview'>['needs'][number];

/** A case that wants a person, in words. */
export interface Want {
  shape: Shape;
  tone: Tone;
  title: string;
  detail: string;
  /** The one button, and where it leads. */
  action: string;
  to: string;
}

type Words = (need: Need) => Omit<Want, 'detail'> & { detail?: (string | null)[] };

const others = (count: number, one: string) =>
  count > 1 ? `and ${plural(count - 1, `other ${one}`)}` : null;

const WORDS: Record<Need['kind'], Words> = {
  waiting_conversation: ({ title, count, id }) => ({
    shape: 'diamond',
    tone: 'wait',
    title: `${title} waits for an answer`,
    detail: [others(count, 'conversation')],
    action: 'Answer',
    to: `/conversations/${id}`,
  }),
  waiting_approval: ({ title, count, id }) => ({
    shape: 'diamond',
    tone: 'wait',
    title: `${title} waits for approval`,
    detail: [others(count, 'call')],
    action: 'Decide',
    to: `/approvals/${id}`,
  }),
  failed_instance: ({ title, count, id }) => ({
    shape: 'triangle',
    tone: 'bad',
    title: `${title} failed`,
    detail: [others(count, 'agent')],
    action: 'Look',
    to: `/instances/${id}/timeline`,
  }),
  expired_connection: ({ title, count }) => ({
    shape: 'triangle',
    tone: 'bad',
    title: `${title} is not connected any more`,
    detail: [others(count, 'connection')],
    action: 'Renew',
    to: '/connections',
  }),
  failed_message: ({ title, count, id }) => ({
    shape: 'triangle',
    tone: 'bad',
    title: `An answer to ${title} was not sent`,
    detail: [others(count, 'message')],
    action: 'Look',
    to: `/conversations/${id}`,
  }),
  dead_message: ({ title, count }) => ({
    shape: 'triangle',
    tone: 'bad',
    title: `A message of ${title} was given up`,
    detail: [others(count, 'message')],
    action: 'Look',
    to: '/channels/messages?status=dead',
  }),
  submitted_timesheet: ({ title, count }) => ({
    shape: 'diamond',
    tone: 'wait',
    title:
      count === 1
        ? `Hours of ${title} wait for a decision`
        : `${plural(count, 'timesheet')} wait for a decision`,
    detail: count === 1 ? [] : [`the oldest of ${title}`],
    action: 'Review',
    to: '/workforce/timesheets',
  }),
  expiring_connection: ({ title, count }) => ({
    shape: 'ring',
    tone: 'off',
    title: count === 1 ? `${title} ends soon` : `${plural(count, 'connection')} end soon`,
    detail: count === 1 ? [] : [`${title} first`],
    action: 'See',
    to: '/connections?expiring=true',
  }),
  expiring_cert: ({ title, count }) => ({
    shape: 'ring',
    tone: 'off',
    title:
      count === 1
        ? `A certificate of ${title} ends soon`
        : `${plural(count, 'certificate')} end within six weeks`,
    detail: count === 1 ? [] : [`${title} first`],
    action: 'See',
    to: '/workforce/certificates',
  }),
};

export function wantOf(need: Need): Want {
  const { detail: more = [], ...want } = WORDS[need.kind](need);
  const isAgent = need.kind === 'failed_instance';
  const parts = [need.detail, ...more, isAgent ? null : need.hostname, need.customer_name];
  return { ...want, detail: [...new Set(parts.filter((part) => part !== null && part !== ''))].join(' · ') };
}
