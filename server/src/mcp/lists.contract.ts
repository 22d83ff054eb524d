import Type, { type TProperties } from 'typebox';
import { HostingMode, InstanceStatus } from '../catalogue/hosting.contract.ts';
import { listModels, Model } from '../catalogue/models.contract.ts';
import { listPrimitives, Primitive, PrimitiveKind } from '../catalogue/primitives.contract.ts';
import { ChannelEndpoint, listChannelEndpoints } from '../channels/channel-endpoints.contract.ts';
import { Connection, listConnections } from '../connections/connections.contract.ts';
import { Customer, listCustomers } from '../customers/customers.contract.ts';
import { listInstances } from '../instances/instances.contract.ts';
import { RuntimeState } from '../instances/runtime-state.contract.ts';
import { operation } from '../platform/contract/operation.ts';
import { about, Nullable, PageQuery, query, Timestamp, Uuid } from '../platform/contract/shapes.ts';
import { listRecipeRevisions, listRecipes } from '../recipes/recipes.contract.ts';

/** The length of a description in a list. */
export const DESCRIPTION_LENGTH = 200;

const Search = (what: string) =>
  Type.String({ maxLength: 200, default: '', description: `A part of ${what}` });

const page = { page: Type.Integer(), per_page: Type.Integer(), total: Type.Integer() };

/** A page of summaries. These shapes have no names, because they are no part of the HTTP API. */
const PageOf = <T extends TProperties>(item: T) =>
  Type.Object({ items: Type.Array(Type.Object(item)), ...page });

const pick = <T extends TProperties, K extends keyof T & string>(properties: T, ...names: K[]) =>
  Object.fromEntries(names.map((name) => [name, properties[name]])) as unknown as Pick<T, K>;

export const RecipeSummary = Type.Object({
  id: Uuid,
  name: Type.String(),
  description: Nullable(Type.String()),
  revision: Type.Integer(),
  is_active: Type.Boolean(),
  is_platform_template: Type.Boolean(),
  hosting_mode: HostingMode,
  updated_at: Timestamp,
});

export const searchRecipes = operation({
  ...listRecipes,
  mcp: { says: 'List recipes as summaries, the platform’s templates last; get_recipe has the whole.' },
  query: query({ ...PageQuery, search: Search('name or description') }),
  responses: { 200: PageOf(RecipeSummary.properties) },
});

export const RevisionSummary = Type.Object({
  revision: Type.Integer(),
  name: Type.String(),
  is_active: Type.Boolean(),
  created_at: Timestamp,
});

export const summarizeRevisions = operation({
  ...listRecipeRevisions,
  mcp: {
    unlisted: true,
    says: 'List a recipe’s revisions as summaries, newest first; get_recipe_revision has the whole.',
  },
  responses: { 200: PageOf(RevisionSummary.properties) },
});

export const CustomerSummary = Type.Object(
  pick(
    Customer.properties,
    'id',
    'email',
    'company_name',
    'country_code',
    'currency',
    'timezone',
    'created_at',
  ),
);

export const searchCustomers = operation({
  ...listCustomers,
  mcp: { says: 'List customers as summaries; get_customer has the whole.' },
  query: query({ ...PageQuery, search: Search('e-mail or company name') }),
  responses: {
    200: Type.Object({
      customers: Type.Array(CustomerSummary),
      ...page,
      total_pages: Type.Integer(),
    }),
  },
});

export const InstanceSummary = Type.Object({
  id: Uuid,
  hostname: Type.String(),
  status: InstanceStatus,
  customer_id: Nullable(Uuid),
  recipe_id: Uuid,
  recipe_revision: Type.Integer(),
  template_name: Type.String(),
  hosting_mode: HostingMode,
  deployment_count: Type.Integer(),
  tier_id: Uuid,
  region_id: Type.String(),
  runtime: pick(RuntimeState.properties, 'state').state,
  created_at: Timestamp,
});

export const searchInstances = operation({
  ...listInstances,
  mcp: { says: 'List instances as summaries; get_instance has the whole.' },
  query: query({
    ...PageQuery,
    search: Search('hostname'),
    status: Type.Optional(InstanceStatus),
    customer_id: about(Type.Optional(Uuid), 'Only those that serve it'),
    recipe_id: about(Type.Optional(Uuid), 'Only those of it'),
  }),
  responses: { 200: PageOf(InstanceSummary.properties) },
});

export const ConnectionSummary = Type.Object(
  pick(Connection.properties, 'id', 'provider', 'name', 'status', 'last_error', 'expires_at', 'created_at'),
);

export const searchConnections = operation({
  ...listConnections,
  mcp: { says: 'List a customer’s connections, without credentials and without revoked ones.' },
  query: query({ ...PageQuery, search: Search('provider or name') }),
  responses: { 200: PageOf(ConnectionSummary.properties) },
});

export const EndpointSummary = Type.Object(
  pick(
    ChannelEndpoint.properties,
    'id',
    'channel',
    'phone_number_id',
    'instance_id',
    'customer_id',
    'connection_name',
    'created_at',
  ),
);

export const searchChannelEndpoints = operation({
  ...listChannelEndpoints,
  mcp: { says: 'List the numbers that messages are received for.' },
  query: query({ ...PageQuery, search: Search('phone_number_id or connection_name') }),
  responses: { 200: PageOf(EndpointSummary.properties) },
});

export const PrimitiveSummary = Type.Object(pick(Primitive.properties, 'id', 'kind', 'slug', 'display_name'));

export const searchPrimitives = operation({
  ...listPrimitives,
  mcp: { says: 'List the approved skills, channels, integrations, models and so on.' },
  query: query({ ...PageQuery, search: Search('slug or display name'), kind: Type.Optional(PrimitiveKind) }),
  responses: { 200: PageOf(PrimitiveSummary.properties) },
});

export const ModelSummary = Type.Object(
  pick(
    Model.properties,
    'model_id',
    'display_name',
    'provider',
    'modality',
    'context_window',
    'max_output_tokens',
    'cost_input_per_mtok',
    'cost_output_per_mtok',
    'is_deprecated',
  ),
);

export const searchModels = operation({
  ...listModels,
  mcp: { says: 'List the language models in the catalogue. Costs are US dollars per million tokens.' },
  query: query({
    ...PageQuery,
    search: Search('model_id, name or provider'),
    modality: Type.Optional(Type.String({ maxLength: 100, description: 'As `text`' })),
  }),
  responses: { 200: PageOf(ModelSummary.properties) },
});
