export { listTiers, putTier } from './tiers.db.ts';
