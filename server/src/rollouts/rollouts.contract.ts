import Type, { type Static } from 'typebox';
import { MissingConnection, Violation } from '../instances/deployments.contract.ts';
import { Change } from '../instances/instances.contract.ts';
import { NamedObject, named } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  Clearable,
  Int,
  Literals,
  Nullable,
  PageOf,
  PageQuery,
  params,
  query,
  Timestamp,
  Uuid,
} from '../platform/contract/shapes.ts';
import { RecipeName } from '../recipes/recipe-names.contract.ts';
import { RevisionAuthor } from '../recipes/recipes.contract.ts';

const tag = 'Rollouts';

const ROLLOUT_STATUSES = [
  'running',
  'paused',
  'stopped',
  'succeeded',
  'rolling_back',
  'rolled_back',
] as const;
export type RolloutStatus = (typeof ROLLOUT_STATUSES)[number];

const ITEM_STATUSES = ['waiting', 'upgrading', 'upgraded', 'failed', 'skipped', 'rolled_back'] as const;
export type ItemStatus = (typeof ITEM_STATUSES)[number];

const STOP_REASONS = [
  'failed_upgrades',
  'refused_messages',
  'llm_failures',
  'requested',
  'rollback_failed',
] as const;
export type StopReason = (typeof STOP_REASONS)[number];

export const DEFAULT_BATCHES = [5, 25, 100];
export const DEFAULT_PAUSE_SECONDS = 300;
export const DEFAULT_FAILED_UPGRADES = 1;

const Batches = Type.Array(Int({ minimum: 1, maximum: 100 }), { minItems: 1, maxItems: 100 });
const ItemStatusName = named('RolloutItemStatus', Literals(ITEM_STATUSES));

const bound = (words: string) => about(Clearable(Int({ minimum: 1 })), words);
const reached = (words: string) => about(Nullable(Type.Integer()), words);

const RolloutItem = NamedObject('RolloutItem', {
  instance_id: Uuid,
  hostname: about(Type.String(), 'Of the instance'),
  from_revision: about(Type.Integer(), 'Where a rollback takes it'),
  batch: about(Type.Integer(), 'From 1'),
  status: ItemStatusName,
  error: about(Nullable(Type.String()), 'Why it was skipped, or failed'),
});

const rolloutProperties = {
  id: Uuid,
  recipe_id: Uuid,
  recipe_name: RecipeName,
  revision: about(Type.Integer(), 'The revision that the instances get'),
  status: named('RolloutStatus', Literals(ROLLOUT_STATUSES)),
  batch: about(Type.Integer(), 'The batch that it is at, from 1'),
  batches: about(Type.Array(Type.Integer()), 'Percent of the instances that are reached after each batch'),
  pause_seconds: about(Type.Integer(), 'Between two batches, and of the watch after the last one'),
  stop_when: Type.Object({
    failed_upgrades: about(Type.Integer(), 'Upgrades that failed'),
    refused_messages: reached('Tries that upgraded runtimes did not take; null: not watched'),
    llm_failures: reached('Calls of models that failed; null: not watched'),
  }),
  next_batch_at: about(Nullable(Timestamp), 'When the pause ends; null outside of one'),
  stopped_because: about(
    Nullable(Literals(STOP_REASONS)),
    'The bound of stop_when that was reached; requested: a caller stopped it; rollback_failed: an instance could not go back',
  ),
  created_by: about(Nullable(RevisionAuthor), 'The person, or the key of a program, that began it'),
  created_at: Timestamp,
  ended_at: about(Nullable(Timestamp), 'When it stopped, succeeded or was rolled back; null before'),
  counts: about(
    Type.Object({
      waiting: Type.Integer(),
      upgrading: Type.Integer(),
      upgraded: Type.Integer(),
      failed: Type.Integer(),
      skipped: Type.Integer(),
      rolled_back: Type.Integer(),
    }),
    'How many of its instances are in each status',
  ),
};

const Rollout = NamedObject('Rollout', rolloutProperties);
const RolloutDetail = NamedObject('RolloutDetail', {
  ...rolloutProperties,
  items: about(Type.Array(RolloutItem), 'A page of its instances, in the order of their batches'),
  page: Type.Integer(),
  per_page: Type.Integer(),
  total: Type.Integer(),
});

const RolloutPlan = NamedObject('RolloutPlan', {
  recipe_id: Uuid,
  recipe_name: RecipeName,
  revision: rolloutProperties.revision,
  batches: rolloutProperties.batches,
  items: Type.Array(
    NamedObject('PlannedRolloutItem', {
      ...RolloutItem.properties,
      plan: about(
        Nullable(
          Type.Object({
            plan_hash: about(Type.String(), 'Of what the instance would get'),
            ready: Type.Boolean(),
            missing_connections: Type.Array(MissingConnection),
            violations: Type.Array(Violation),
            changes: Type.Array(Change),
          }),
        ),
        'As upgrade_instance with dry_run answers, without the configuration; null where it would be skipped',
      ),
    }),
  ),
  page: Type.Integer(),
  per_page: Type.Integer(),
  total: Type.Integer(),
});

/** By the statuses 202 and 200. */
const StartedRollout = named(
  'StartedRollout',
  Type.Unsafe<Static<typeof RolloutDetail> | Static<typeof RolloutPlan>>({
    anyOf: [RolloutDetail, RolloutPlan],
  }),
);

const RecipeParams = params({ template_id: about(Uuid, 'The recipe’s id') });
const RolloutParams = params({
  ...RecipeParams.properties,
  rollout_id: about(Uuid, 'The rollout’s id'),
});

export const startRollout = operation({
  id: 'start_rollout',
  method: 'POST',
  path: '/v1/recipes/{template_id}/rollouts',
  tag,
  summary: 'Give the instances of a recipe a revision, in batches, and stop where something breaks',
  description:
    'Each live instance of another revision is upgraded in place, five at once, and keeps its overrides. What cannot begin is skipped with its reason. A batch begins `pause_seconds` after the one before ended. 409 while another rollout of the recipe is running, paused or rolling back. With dry_run 200, a page of the plans, and nothing happens.',
  credential: 'tenant',
  scope: 'instances:write',
  load: 'configuration',
  params: RecipeParams,
  query: query(PageQuery),
  body: NamedObject('RolloutStart', {
    revision: about(Int({ minimum: 1 }), 'Which revision of the recipe'),
    batches: about(
      Clearable(Batches),
      `Rising percentages, the last one 100: how much is reached after each batch, rounded up and at least one instance more; ${DEFAULT_BATCHES.join(', ')} where nothing is said`,
    ),
    pause_seconds: about(
      Clearable(Int({ minimum: 0, maximum: 86_400 })),
      `Between two batches, and of the watch after the last one; ${DEFAULT_PAUSE_SECONDS} where nothing is said`,
    ),
    stop_when: about(
      Clearable(
        Type.Object({
          failed_upgrades: bound(`So many upgrades failed; ${DEFAULT_FAILED_UPGRADES} where nothing is said`),
          refused_messages: bound('So many tries of messages were not taken by upgraded runtimes'),
          llm_failures: bound('So many calls of models by upgraded instances failed'),
        }),
      ),
      'What stops the rollout by itself. Each instance counts from its upgrade on',
    ),
    dry_run: about(Clearable(Type.Boolean()), 'Only answer what would be changed'),
  }),
  responses: { 200: StartedRollout, 202: StartedRollout },
  failures: [404, 409],
});

export const listRollouts = operation({
  id: 'list_rollouts',
  method: 'GET',
  path: '/v1/recipes/{template_id}/rollouts',
  tag,
  summary: 'List the rollouts of a recipe',
  description: 'Newest first, without their instances.',
  credential: 'tenant',
  scope: 'instances:read',
  params: RecipeParams,
  query: query(PageQuery),
  responses: { 200: PageOf(Rollout) },
});

export const getRollout = operation({
  id: 'get_rollout',
  method: 'GET',
  path: '/v1/recipes/{template_id}/rollouts/{rollout_id}',
  tag,
  summary: 'How far a rollout is',
  description: 'With a page of its instances, in the order of their batches.',
  credential: 'tenant',
  scope: 'instances:read',
  params: RolloutParams,
  query: query(PageQuery),
  responses: { 200: RolloutDetail },
});

const change = <Status extends 200 | 202>(
  verb: 'pause' | 'resume' | 'stop' | 'rollback',
  status: Status,
  summary: string,
  description: string,
) =>
  operation({
    id: `${verb}_rollout`,
    method: 'POST',
    path: `/v1/recipes/{template_id}/rollouts/{rollout_id}/${verb}`,
    tag,
    summary,
    description,
    credential: 'tenant',
    scope: 'instances:write',
    params: RolloutParams,
    responses: { [status]: RolloutDetail } as Record<Status, typeof RolloutDetail>,
    failures: [409],
  });

export const pauseRollout = change(
  'pause',
  200,
  'Let a running rollout rest',
  'Upgrades that have begun end. 409 in every other state.',
);
export const resumeRollout = change(
  'resume',
  202,
  'Let a paused or stopped rollout go on',
  'It goes on at once with what waits; what was counted before it stopped does not stop it again. 409 in every other state, and after a rollback.',
);
export const stopRollout = change(
  'stop',
  200,
  'Stop a running or paused rollout',
  'Upgrades that have begun end; what is upgraded stays so. 409 in every other state.',
);
export const rollBackRollout = change(
  'rollback',
  202,
  'Take the instances of a rollout back to the revisions that they had',
  'A paused, stopped or succeeded rollout goes back, for 7 days after its end. An instance that was upgraded again since is skipped; where one cannot go back, the rollout ends stopped, and only a rollback is possible again.',
);
