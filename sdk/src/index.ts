export type { Body, CallOptions, Input, Item, OperationId, PagedId, Path, Query, Result } from './caller.ts';
export { ControlPlane, type ControlPlaneOptions, type Deployed } from './control-plane.ts';
export type { FollowedMessage, MessagesOptions } from './conversation-messages.ts';
export type { Credentials } from './credentials.ts';
export {
  ApiError,
  ConnectionError,
  ControlPlaneError,
  InstanceFailedError,
  NotReadyError,
  WaitTimeoutError,
} from './errors.ts';
export type * from './generated/shapes.ts';
export type { EventsOptions } from './instance-events.ts';
export type { LogsOptions } from './instance-logs.ts';
export type { ChangesOptions, LiveChange } from './live-changes.ts';
export type { WaitOptions } from './waiting.ts';
