import Type from 'typebox';
import { NamedObject, named } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  Clearable,
  Literals,
  Nullable,
  PageOf,
  PageQuery,
  params,
  query,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';

const TASK_STATUSES = ['queued', 'running', 'succeeded', 'failed', 'canceling', 'canceled'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** The API shows `provision` as `deploy`. */
const TASK_KINDS = [
  'deploy',
  'join',
  'leave',
  'move',
  'restart',
  'start',
  'stop',
  'terminate',
  'upgrade',
] as const;
export type ShownKind = (typeof TASK_KINDS)[number];
export type TaskKind = 'provision' | Exclude<ShownKind, 'deploy'>;

const tag = 'Tasks';
const Kind = named('TaskKind', Literals(TASK_KINDS));
export const TaskStatusName = named('TaskStatus', Literals(TASK_STATUSES));

/** Operators see these; tenants also see names. */
export const taskProperties = {
  task_id: Uuid,
  instance_id: Uuid,
  kind: Kind,
  status: TaskStatusName,
  step: Nullable(Type.String({ description: 'The step that it is at, or ended at' })),
  progress: Type.Integer({ description: 'Percent' }),
  error: Nullable(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
  finished_at: Nullable(Timestamp),
};
export const Task = NamedObject('Task', {
  ...taskProperties,
  hostname: about(Type.String(), 'Of the instance'),
});

/** In the instance that it works on. */
export const InstanceTask = NamedObject('InstanceTask', {
  id: about(Uuid, 'The task’s id'),
  kind: Kind,
  status: TaskStatusName,
  step: taskProperties.step,
  progress: taskProperties.progress,
});

const TaskParams = params({
  task_id: about(Uuid, 'The task’s id, as the call that began it answered'),
});

export const listTasks = operation({
  id: 'list_tasks',
  method: 'GET',
  path: '/v1/tasks',
  tag,
  summary: 'List tasks',
  description: 'Newest first, finished ones too. Filters narrow the list together.',
  credential: 'tenant',
  scope: 'instances:read',
  query: query({
    ...PageQuery,
    status: Type.Optional(TaskStatusName),
    instance_id: about(Type.Optional(Uuid), 'Only those of this instance'),
  }),
  responses: { 200: PageOf(Task) },
});

export const getTask = operation({
  id: 'get_task',
  method: 'GET',
  path: '/v1/tasks/{task_id}',
  tag,
  summary: 'How far a task is',
  description: 'Ask until `finished_at` is set. `error` says why a task failed.',
  credential: 'tenant',
  scope: 'instances:read',
  mcp: {},
  params: TaskParams,
  responses: { 200: Task },
});

export const cancelTask = operation({
  id: 'cancel_task',
  method: 'POST',
  path: '/v1/tasks/{task_id}/cancel',
  tag,
  summary: 'Cancel a task and undo what it did',
  description: 'With expect_status, only when the task is still in that status (412 otherwise).',
  credential: 'tenant',
  scope: 'instances:write',
  mcp: {
    destructive: true,
    says: 'Cancel a task and undo what it did.',
  },
  params: TaskParams,
  body: NamedObject('TaskCancelRequest', {
    expect_status: about(Clearable(TaskStatusName), 'Cancel only while the task is in this status'),
  }),
  responses: { 202: Task },
  failures: [409, 412],
});
