import type { Static } from 'typebox';
import type { Notifications } from '../platform/db/notifications.ts';
import type { Activity } from './activity.contract.ts';
import { CHANGE_KINDS } from './live.contract.ts';
import type { Overview } from './overview.contract.ts';
import { StoredAnswers } from './stored-answers.ts';

export interface StoredOverviews {
  overviews: StoredAnswers<Static<typeof Overview>>;
  activities: StoredAnswers<Static<typeof Activity>>;
}

/** Contract, section 18. A message is hinted at as a change of its conversation. */
export const storedOverviews = (notifications: Notifications): StoredOverviews => ({
  overviews: new StoredAnswers(notifications, { maxAgeMs: 5000, endedBy: new Set(CHANGE_KINDS) }),
  activities: new StoredAnswers(notifications, { maxAgeMs: 60_000, endedBy: new Set(['conversation']) }),
});
