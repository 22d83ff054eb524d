import Type, { type Static } from 'typebox';
import { BOUNDS } from '../catalogue/bounds.contract.ts';
import { NamedObject } from '../platform/contract/named.ts';
import { operation } from '../platform/contract/operation.ts';
import {
  about,
  Clearable,
  Literals,
  Name,
  Nullable,
  PageOf,
  PageQuery,
  params,
  query,
  Text,
  Timestamp,
} from '../platform/contract/shapes.ts';
import { CONFIGURATION_FIELDS, type ConfigurationField } from './recipe-fields.contract.ts';

const tag = 'Manifests';

/** Applies to a configuration without a manifest. */
export const REFERENCE = 'reference';

const fieldNames = CONFIGURATION_FIELDS.map(({ name }) => name);
const Slugs = Type.Array(Text(200, 1), { maxItems: 1000 });

const Capabilities = NamedObject('ManifestCapabilities', {
  fields: about(
    Type.Array(Literals<ConfigurationField['name'][]>(fieldNames), { maxItems: 100 }),
    'The fields of a recipe that the runtime acts on, by their names',
  ),
  skills: about(Slugs, 'The slugs of the skills that it has'),
  channels: about(Slugs, 'The slugs of the channels that it answers in'),
});

/** The parts of configurations that a runtime supports. */
export type Capabilities = Static<typeof Capabilities>;

const offered = {
  id: about(Type.String(), 'The id that a recipe’s or a deploy’s `manifest_id` names'),
  name: Type.String(),
  capabilities: Capabilities,
  is_active: about(Type.Boolean(), 'False: it is not chosen any more; instances that run by it stay'),
  created_at: Timestamp,
  updated_at: Timestamp,
};
const Manifest = NamedObject('Manifest', offered);

const Command = about(
  Type.Array(Text(4000), { minItems: 1, maxItems: 100 }),
  'The program, which must not be empty, then its arguments: what the engine `process` starts',
);
const Image = about(Text(1000, 1), 'The container image: what the other engines start');
const SidecarImages = about(
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    'x-max-bytes': BOUNDS.manifest.sidecar_images_bytes,
    additionalProperties: { type: 'string', minLength: 1, maxLength: 1000 },
    maxProperties: 100,
  }),
  'The image of each sidecar, by the name that a recipe’s `sidecars` call it in `runtime`',
);

const Internet = about(
  Type.Boolean(),
  'The runtime reaches public addresses by a proxy, where it has a network of its own; nothing else outside of it',
);

export const OperatorManifest = NamedObject('OperatorManifest', {
  ...offered,
  command: Nullable(Command),
  image: Nullable(Image),
  sidecar_images: Nullable(SidecarImages),
  internet: Internet,
});

export const ManifestPut = NamedObject('ManifestPut', {
  name: about(Type.Optional(Name), 'What people call it; the id where nothing was ever said'),
  image: Clearable(Image),
  command: Clearable(Command),
  sidecar_images: Clearable(SidecarImages),
  internet: Type.Optional(Internet),
  capabilities: Type.Optional(Capabilities),
  is_active: about(Type.Optional(Type.Boolean()), 'False: it is not chosen any more'),
});

export const listManifests = operation({
  id: 'list_manifests',
  method: 'GET',
  path: '/v1/manifests',
  tag,
  summary: 'List the kinds of runtimes that the operator offers',
  description:
    'A recipe or a deploy chooses one by `manifest_id`; without one, `reference` applies. `capabilities` say what it acts on.',
  credential: 'tenant',
  scope: 'instances:read',
  query: query(PageQuery),
  responses: { 200: PageOf(Manifest) },
});

export const listAllManifests = operation({
  id: 'list_operator_manifests',
  method: 'GET',
  path: '/internal/v1/manifests',
  tag,
  summary: 'List manifests with what they start',
  description: 'As list_manifests, with command and images.',
  credential: 'operations',
  scope: null,
  query: query(PageQuery),
  responses: { 200: PageOf(OperatorManifest) },
});

export const putManifest = operation({
  id: 'put_manifest',
  method: 'PUT',
  path: '/internal/v1/manifests/{manifest_id}',
  tag,
  summary: 'Make or change a manifest',
  description:
    'Fields that are left out keep their value. A changed command takes effect at an instance’s next start. `reference` is 409, unless RUNTIME_COMMAND replaces the runtime that the service comes with.',
  credential: 'operations',
  scope: null,
  params: params({
    manifest_id: about(
      Type.String({ minLength: 1, maxLength: 200, pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$' }),
      'The id of the manifest, as recipes name it',
    ),
  }),
  body: ManifestPut,
  responses: { 200: OperatorManifest, 201: OperatorManifest },
  failures: [409],
});
