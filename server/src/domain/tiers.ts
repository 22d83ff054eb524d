export { listTiers, putTier } from '../db/tiers.ts';
