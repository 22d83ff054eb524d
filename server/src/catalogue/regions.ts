export { listRegions, putRegion } from './regions.db.ts';
