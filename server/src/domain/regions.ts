export { listRegions, putRegion } from '../db/regions.ts';
