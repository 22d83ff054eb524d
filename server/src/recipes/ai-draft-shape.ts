import { Ajv, type ValidateFunction } from 'ajv';
import type { JsonObject } from '../platform/json/json-object.ts';

/** What the AI assist answers (specification 2.10). */
export interface AiDraft {
  name: string;
  description: string;
  system_prompt: string;
  skills: string[];
  channel_types: string[];
  connection_requirements: JsonObject[];
  model_policy: JsonObject;
}

/** The shape that a model is asked for; strict, so everything is required and nothing else allowed. */
export const DRAFT_SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'A short name, at most 200 characters' },
    description: { type: 'string', description: 'One or two sentences for the people who choose the agent' },
    system_prompt: { type: 'string', description: 'The instructions that the agent works by' },
    skills: { type: 'array', items: { type: 'string' } },
    channel_types: { type: 'array', items: { type: 'string' } },
    connection_requirements: {
      type: 'array',
      items: {
        type: 'object',
        properties: { provider: { type: 'string' }, optional: { type: 'boolean' } },
        required: ['provider', 'optional'],
        additionalProperties: false,
      },
    },
    model_policy: {
      type: 'object',
      properties: { model: { type: ['string', 'null'] } },
      required: ['model'],
      additionalProperties: false,
    },
  },
  required: [
    'name',
    'description',
    'system_prompt',
    'skills',
    'channel_types',
    'connection_requirements',
    'model_policy',
  ],
  additionalProperties: false,
} as const;

const elements = { type: 'array', maxItems: 200, items: { type: ['string', 'object'] } };

/** What is taken of an answer: also models that cannot be held to a schema write objects for slugs, and more fields. */
const ANSWER_SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 200 },
    description: { type: 'string', maxLength: 10_000 },
    system_prompt: { type: 'string', maxLength: 50_000 },
    skills: elements,
    channel_types: elements,
    connection_requirements: elements,
    model_policy: { type: ['object', 'null'], maxProperties: 50 },
  },
  required: ['name', 'description', 'system_prompt', 'skills', 'channel_types', 'connection_requirements'],
};

type Answer = Omit<AiDraft, 'skills' | 'channel_types' | 'connection_requirements' | 'model_policy'> & {
  skills: unknown[];
  channel_types: unknown[];
  connection_requirements: unknown[];
  model_policy?: JsonObject | null;
};

let validate: ValidateFunction<Answer> | undefined;

/** Whether what a model wrote is in shape; what else it has is not looked at. Compiled at its first use. */
export function isAnswer(value: unknown): value is Answer {
  validate ??= new Ajv({ strict: false }).compile<Answer>(ANSWER_SCHEMA);
  return validate(value);
}
