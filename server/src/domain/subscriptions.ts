export { insertSubscription, listSubscriptions, updateSubscription } from '../db/subscriptions.ts';
