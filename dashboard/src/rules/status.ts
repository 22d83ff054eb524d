/** Shapes say the same as the words, for those who do not see colours. */
export type Shape = 'disc' | 'arc' | 'triangle' | 'diamond' | 'square' | 'ring' | 'check';
export type Tone = 'good' | 'wait' | 'bad' | 'act' | 'off';

export interface Sign {
  word: string;
  shape: Shape;
  tone: Tone;
}

const sign = (word: string, shape: Shape, tone: Tone): Sign => ({ word, shape, tone });

const UNKNOWN = (word: string) => sign(word, 'ring', 'off');

const INSTANCES: Record<string, Sign> = {
  pending: sign('pending', 'ring', 'off'),
  provisioning: sign('starting', 'arc', 'act'),
  running: sign('running', 'disc', 'good'),
  stopped: sign('stopped', 'square', 'off'),
  failed: sign('failed', 'triangle', 'bad'),
  terminating: sign('ending', 'arc', 'act'),
  terminated: sign('ended', 'square', 'off'),
};

const TASKS: Record<string, Sign> = {
  queued: sign('queued', 'ring', 'off'),
  running: sign('under way', 'arc', 'act'),
  succeeded: sign('done', 'check', 'good'),
  failed: sign('failed', 'triangle', 'bad'),
  canceling: sign('being canceled', 'arc', 'act'),
  canceled: sign('canceled', 'square', 'off'),
};

const APPROVALS: Record<string, Sign> = {
  waiting: sign('waits', 'diamond', 'wait'),
  approved: sign('approved', 'check', 'good'),
  rejected: sign('rejected', 'square', 'off'),
  expired: sign('expired', 'square', 'off'),
  failed: sign('failed', 'triangle', 'bad'),
};

const MESSAGES: Record<string, Sign> = {
  queued: sign('waits', 'ring', 'off'),
  pending: sign('waits', 'ring', 'off'),
  received: sign('received', 'ring', 'off'),
  handled: sign('handled', 'check', 'good'),
  sent: sign('sent', 'check', 'off'),
  delivered: sign('delivered', 'check', 'off'),
  read: sign('read', 'check', 'good'),
  failed: sign('failed', 'triangle', 'bad'),
  dead: sign('given up', 'triangle', 'bad'),
};

const CONNECTIONS: Record<string, Sign> = {
  active: sign('connected', 'disc', 'good'),
  expired: sign('expired', 'triangle', 'bad'),
  revoked: sign('revoked', 'square', 'off'),
  pending: sign('pending', 'ring', 'off'),
};

const TIMESHEETS: Record<string, Sign> = {
  draft: sign('draft', 'ring', 'off'),
  submitted: sign('waits', 'diamond', 'wait'),
  approved: sign('approved', 'check', 'good'),
  rejected: sign('rejected', 'square', 'off'),
};

const ROLLOUTS: Record<string, Sign> = {
  running: sign('under way', 'arc', 'act'),
  paused: sign('paused', 'diamond', 'wait'),
  stopped: sign('stopped', 'triangle', 'bad'),
  succeeded: sign('done', 'check', 'good'),
  rolling_back: sign('going back', 'arc', 'act'),
  rolled_back: sign('rolled back', 'square', 'off'),
};

const ROLLOUT_ITEMS: Record<string, Sign> = {
  waiting: sign('waits', 'ring', 'off'),
  upgrading: sign('under way', 'arc', 'act'),
  upgraded: sign('upgraded', 'check', 'good'),
  failed: sign('failed', 'triangle', 'bad'),
  skipped: sign('skipped', 'diamond', 'wait'),
  rolled_back: sign('went back', 'square', 'off'),
};

const SIGNS = {
  instance: INSTANCES,
  task: TASKS,
  approval: APPROVALS,
  message: MESSAGES,
  connection: CONNECTIONS,
  timesheet: TIMESHEETS,
  rollout: ROLLOUTS,
  rolloutItem: ROLLOUT_ITEMS,
};

export type Subject = keyof typeof SIGNS;

export const signOf = (subject: Subject, status: string): Sign =>
  SIGNS[subject][status] ?? UNKNOWN(status.replaceAll('_', ' '));
