import { named } from '../platform/contract/named.ts';
import { Literals } from '../platform/contract/shapes.ts';

/** `dedicated`: an instance serves one customer. `shared`: it serves several. */
const HOSTING_MODES = ['dedicated', 'shared'] as const;
export type HostingMode = (typeof HOSTING_MODES)[number];
export const HostingMode = named('HostingMode', Literals(HOSTING_MODES));

/** The states of an instance (contract, section 4). */
export const INSTANCE_STATUSES = [
  'pending',
  'provisioning',
  'running',
  'stopped',
  'failed',
  'terminating',
  'terminated',
] as const;
export type InstanceStatus = (typeof INSTANCE_STATUSES)[number];
export const InstanceStatus = named('InstanceStatus', Literals(INSTANCE_STATUSES));
