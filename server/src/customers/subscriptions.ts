export { insertSubscription, listSubscriptions, updateSubscription } from './subscriptions.db.ts';
