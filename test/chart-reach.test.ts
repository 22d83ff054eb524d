import { describe, expect, it } from 'vitest';
import { LABEL } from '../server/src/adapters/kubernetes-engine/names.ts';
import { RUNTIME_PORT } from '../server/src/adapters/remote-engine/runtime-environment.ts';
import { find, hasHelm, podOf, render } from './chart.ts';
import { ALL, SECRET } from './chart-values.ts';

const inNamespace = (name: string) => ({
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } },
});

describe.runIf(hasHelm)('rights', () => {
  it('of the service are on pods and secrets of the runtimes, which have none', () => {
    const rendered = render(SECRET);
    const role = find(rendered, 'Role');
    expect(role.metadata.namespace).toBe('acp-runtimes');
    expect(role.rules).toEqual([
      { apiGroups: [''], resources: ['pods'], verbs: ['create', 'delete', 'list', 'watch'] },
      { apiGroups: [''], resources: ['secrets'], verbs: ['create', 'delete'] },
    ]);
    const binding = find(rendered, 'RoleBinding');
    expect(binding).toMatchObject({
      metadata: { namespace: 'acp-runtimes' },
      roleRef: { kind: 'Role', name: role.metadata.name },
      subjects: [{ kind: 'ServiceAccount', name: 'acp', namespace: 'control' }],
    });
    expect(podOf(rendered).spec.serviceAccountName).toBe('acp');
    expect(find(render(ALL), 'ServiceAccount', 'acp-runtimes')).toMatchObject({
      metadata: { namespace: 'agents' },
      automountServiceAccountToken: false,
      imagePullSecrets: [{ name: 'registry' }],
    });
  });
});

describe.runIf(hasHelm)('network policies', () => {
  const rendered = hasHelm ? render(SECRET) : { status: 1, stderr: '', objects: [] };
  const service = { 'app.kubernetes.io/name': 'agent-control-plane', 'app.kubernetes.io/instance': 'acp' };

  it('let runtimes reach the service’s port for them, and names', () => {
    const { spec } = find(rendered, 'NetworkPolicy', 'acp-runtimes');
    const fromService = { ...inNamespace('control'), podSelector: { matchLabels: service } };
    expect(spec).toMatchObject({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
    expect(spec.ingress).toEqual([{ ports: [{ port: RUNTIME_PORT }], from: [fromService] }]);
    const [own, names] = spec.egress;
    expect(own).toEqual({ ports: [{ port: 8443 }], to: [fromService] });
    expect(names?.ports.map(({ port, protocol }) => [port, protocol])).toEqual([
      [53, 'UDP'],
      [53, 'TCP'],
    ]);
    expect(names?.to).toEqual([
      { namespaceSelector: {}, podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } },
      { ipBlock: { cidr: '169.254.20.10/32' } },
    ]);
    expect(podOf(rendered).container.ports).toContainEqual({ name: 'runtimes', containerPort: 8443 });
  });

  it('open public addresses for runtimes with the label, and no private ones', () => {
    const { spec } = find(rendered, 'NetworkPolicy', 'acp-runtimes-internet');
    expect(spec.podSelector).toEqual({ matchLabels: { [LABEL.internet]: 'true' } });
    const [rule, ...others] = spec.egress;
    expect([rule?.ports, others]).toEqual([[{ port: 443 }], []]);
    const [ipv4] = rule?.to?.flatMap(({ ipBlock }) => ipBlock ?? []) ?? [];
    expect(ipv4?.except).toEqual(
      expect.arrayContaining(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16']),
    );
  });

  it('let everybody but runtimes reach port 8080, and runtimes alone port 8443', () => {
    const { spec } = find(rendered, 'NetworkPolicy', 'acp');
    expect(spec.podSelector).toEqual({ matchLabels: service });
    expect(find(rendered, 'Deployment').spec.template.metadata.labels).toMatchObject(service);
    const notRuntimes = { key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['acp-runtimes'] };
    expect(spec.ingress).toEqual([
      { ports: [{ port: 'http' }], from: [{ namespaceSelector: { matchExpressions: [notRuntimes] } }] },
      { ports: [{ port: 'runtimes' }], from: [inNamespace('acp-runtimes')] },
    ]);
    expect(find(render(ALL), 'NetworkPolicy', 'acp').spec.ingress).toMatchObject([
      { from: ALL.networkPolicy.ingressFrom },
      { from: [inNamespace('agents'), ...ALL.networkPolicy.runtimesFrom] },
    ]);
  });

  it('are left out where the values say so', () => {
    const without = render({ ...SECRET, networkPolicy: { enabled: false } });
    expect(without.objects.map(({ kind }) => kind)).not.toContain('NetworkPolicy');
  });
});

describe.runIf(hasHelm)('the Ingress', () => {
  it('leads neither to the routes of operators nor to metrics', () => {
    const rendered = render(ALL);
    const { spec } = find(rendered, 'Ingress');
    const paths = spec.rules.flatMap(({ http }) => http.paths);
    expect(paths.map(({ path, backend }) => [path, backend.service.name])).toEqual([
      ['/', 'acp'],
      ['/internal', 'acp-nowhere'],
      ['/metrics', 'acp-nowhere'],
    ]);
    expect(find(rendered, 'Service', 'acp-nowhere').spec).not.toHaveProperty('selector');
    expect(spec.tls).toEqual([{ secretName: 'tls', hosts: ['cp.example.com'] }]);
  });
});
