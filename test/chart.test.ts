import { describe, expect, it } from 'vitest';
import { HELM_VERSIONS, hasHelm, lint, podOf, render, typeFaults } from './chart.ts';
import { ALL, SECRET } from './chart-values.ts';

if (!hasHelm) process.stderr.write('Helm is not there (node tools/helm.mjs): the chart is not tested\n');

it('is tested where CI runs', () => {
  expect(hasHelm || !process.env.CI).toBe(true);
});

describe.runIf(hasHelm)('the chart', () => {
  it.each(HELM_VERSIONS)(
    'passes the lint of Helm %s, which renders the same objects as others',
    (version) => {
      expect(lint(version, ALL)).toMatchObject({ status: 0 });
      for (const values of [SECRET, ALL]) {
        const { status, objects } = render(values, version);
        expect(status).toBe(0);
        expect(objects).toEqual(render(values).objects);
      }
    },
  );

  it('makes objects that the Kubernetes API has', () => {
    const objects = [SECRET, ALL].flatMap((values) => render(values).objects);
    const known = objects.filter(({ kind }) => kind !== 'ServiceMonitor');
    expect(known.length).toBeGreaterThan(20);
    expect(typeFaults(known)).toBe('');
    const [wrong] = known;
    expect(typeFaults([{ ...wrong, colour: 'blue' } as NonNullable<typeof wrong>])).toContain('colour');
  });

  it('makes nothing for the whole cluster but the namespace of runtimes', () => {
    for (const { kind, metadata } of render(ALL).objects)
      expect([kind, metadata.namespace]).toEqual([
        kind,
        kind === 'Namespace' ? undefined : expect.stringMatching(/^(control|agents)$/),
      ]);
    const own = { ...SECRET, runtime: { namespace: 'agents', createNamespace: false } };
    expect(render(own).objects.map(({ kind }) => kind)).not.toContain('Namespace');
  });

  it('names one secret, and says in one sentence that it is missing', () => {
    const { stderr } = render({});
    const sentence =
      'existingSecret is required: the name of a Secret with DATABASE_URL, MASTER_KEY and OPERATIONS_TOKEN';
    expect(stderr.split('\n')[0]).toMatch(new RegExp(`^Error: .*: ${sentence}$`));
    const { container, migration } = podOf(render(SECRET));
    for (const { envFrom, env = [] } of [container, migration]) {
      expect(envFrom).toEqual([{ secretRef: { name: 'control-plane' } }]);
      const keys = env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []);
      expect(keys.map(({ key }) => key)).toEqual(
        expect.arrayContaining(['DATABASE_URL', 'MASTER_KEY', 'OPERATIONS_TOKEN']),
      );
      expect(keys.every(({ optional }) => !optional)).toBe(true);
    }
  });

  it.each([
    ['a name that no value has', { replica: 3 }],
    ['one further down', { runtime: { nodeselector: {} } }],
    ['a secret among settings', { settings: { MASTER_KEY: 'k' } }],
    ['a setting that another value makes', { settings: { PROVISIONER: 'process' } }],
    ['a name that no setting can have', { settings: { llm_model: 'm' } }],
    ['a drain that is no number', { drainSeconds: '10s' }],
    ['no way to names', { networkPolicy: { dns: [] } }],
    ['an Ingress without a host', { ingress: { enabled: true } }],
    ['runtimes beside the service', { runtime: { namespace: 'control' } }],
    ['two copies in one DATA_DIR', { data: { existingClaim: 'data' } }],
  ])('refuses %s', (_, values) => {
    for (const version of HELM_VERSIONS)
      expect(render({ ...SECRET, ...values }, version)).toMatchObject({ status: 1, objects: [] });
  });
});
