import type { OperatorOverview } from '@agent-control-plane/sdk';
import { span } from './time.ts';
import { listed, plural } from './words.ts';

export interface OperatorNeed {
  title: string;
  detail: string;
  /** The page on which it is looked after; null where none does. */
  to: string | null;
  /** Narrows that page. */
  status?: string;
  tone: 'bad' | 'wait';
}

const SECOND_MS = 1000;
/** Answers within a minute are nothing that an operator acts on. */
const LATE_SECONDS = 60;

const DATABASE: Record<string, string> = {
  busy: 'All its connections are in use',
  read_only: 'It takes no writes: a standby, or a disk that is full',
  full: 'Its disk is full',
  unreachable: 'Nothing is read or written until it is back',
};

const need = (
  tone: OperatorNeed['tone'],
  title: string,
  detail: string,
  to: string | null,
  status?: string,
): OperatorNeed => ({ title, detail, to, tone, ...(status !== undefined && { status }) });

type Found = readonly (OperatorNeed | false)[];

function broken({ instances, hosts, messages, providers, database }: OperatorOverview): Found {
  const down = providers.filter(({ ok }) => !ok);
  return [
    database !== 'ok' &&
      need('bad', `The database is ${database.replaceAll('_', ' ')}`, DATABASE[database] ?? '', null),
    hosts.dead > 0 &&
      need(
        'bad',
        `${plural(hosts.dead, 'host')} ${hosts.dead === 1 ? 'is' : 'are'} dead`,
        'Not seen for 30 seconds; others take over what ran there',
        '/operator/hosts',
      ),
    down.length > 0 &&
      need(
        'bad',
        `${listed(down.map(({ slug }) => slug))} ${down.length === 1 ? 'does' : 'do'} not answer`,
        down[0]?.error ?? 'Asked every minute',
        '/operator/llm-providers',
      ),
    instances.failed > 0 &&
      need(
        'bad',
        `${plural(instances.failed, 'agent')} failed`,
        'Their tenants see why, and try again',
        '/operator/instances',
        'failed',
      ),
    messages.dead > 0 &&
      need(
        'bad',
        `${plural(messages.dead, 'message')} ${messages.dead === 1 ? 'was' : 'were'} given up`,
        'No agent took them; their tenants may try again',
        '/operator/messages',
        'dead',
      ),
  ];
}

function late({ messages, queues, certificates_expiring: certificates, isolation }: OperatorOverview): Found {
  const jobs = Object.values(queues).filter(({ oldest_seconds }) => oldest_seconds > LATE_SECONDS);
  const oldest = Math.max(0, ...jobs.map(({ oldest_seconds }) => oldest_seconds));
  return [
    messages.failed > 0 &&
      need(
        'wait',
        `${plural(messages.failed, 'answer')} could not be sent`,
        'The channel refused them',
        '/operator/messages',
        'failed',
      ),
    jobs.length > 0 &&
      need(
        'wait',
        'Jobs are late',
        `The oldest has been due for ${span(oldest * SECOND_MS)}`,
        '/operator/tasks',
      ),
    certificates > 0 &&
      need(
        'wait',
        `${plural(certificates, 'certificate')} should have been renewed by now`,
        'Runtimes renew them by themselves while they reach the service',
        '/operator/authority',
      ),
    isolation !== 'on' &&
      need(
        'wait',
        `Runtimes are not isolated: ${isolation}`,
        'They could reach what the service’s own machine reaches',
        null,
      ),
  ];
}

/** All that is broken, then all that is late, each most urgent first. */
export const operatorNeeds = (of: OperatorOverview): readonly OperatorNeed[] =>
  [...broken(of), ...late(of)].filter((each) => each !== false);
