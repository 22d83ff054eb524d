import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../server/src/config.ts';
import { find, hasHelm, podOf, type Rendered, render, settingsOf } from './chart.ts';
import { ALL, SECRET } from './chart-values.ts';
import { ROOT, readPage } from './guide.ts';

/** As in the pod: secrets are there, and so is the cluster. */
const configOf = (rendered: Rendered) =>
  readConfig({
    ...settingsOf(podOf(rendered).container),
    DATABASE_URL: 'postgres://control_plane@db/control_plane',
    MASTER_KEY: Buffer.alloc(32).toString('base64'),
    OPERATIONS_TOKEN: 'o'.repeat(24),
    KUBERNETES_SERVICE_HOST: '10.96.0.1',
  });

describe.runIf(hasHelm)('the service of the chart', () => {
  it('starts the service with settings that it takes', () => {
    expect(configOf(render(SECRET))).toMatchObject({
      host: '0.0.0.0',
      port: 8080,
      drain_seconds: 10,
      drive: { filesystem_root: undefined },
      mtls: { port: 8443, public_url: 'https://acp-runtimes.control.svc:8443' },
      engines: {
        provisioner: 'kubernetes',
        runtime_image: 'agent-control-plane-runtime:0.1.0',
        pull_policy: 'missing',
        kubernetes: { namespace: 'acp-runtimes', pod_options: { service_account: 'acp-runtimes' } },
      },
    });
    expect(configOf(render(ALL))).toMatchObject({
      public_url: 'https://cp.example.com',
      retention: { events_days: 36_500 },
      llm: { model: '$$(m)' },
      engines: {
        runtime_image: 'agent-control-plane-runtime:7',
        pull_policy: 'always',
        kubernetes: {
          namespace: 'agents',
          pod_options: {
            service_account: 'acp-runtimes',
            runtime_class: 'gvisor',
            node_selector: { pool: 'agents' },
            tolerations: [{ key: 'agents', operator: 'Exists', effect: 'NoSchedule' }],
          },
        },
      },
    });
    const kept = render({ ...SECRET, replicas: 1, data: { existingClaim: 'data' } });
    expect(configOf(kept).drive.filesystem_root).toBe('/data/drive');
    expect(find(kept, 'Deployment').spec.strategy).toEqual({ type: 'Recreate' });
  });

  it('has settings alone that are on their page or on that of agentctl', () => {
    const pages = readPage('docs/settings.md') + readPage('cli/README.md');
    const names = Object.keys(settingsOf(podOf(render(ALL)).container));
    expect(names.filter((name) => !pages.includes(`\`${name}\``))).toEqual([]);
  });

  it('runs programs of the image, of which the first migrates', () => {
    const { migration, container } = podOf(render(SECRET));
    expect(migration.args).toEqual(['server/dist/migrate-only.js']);
    expect(existsSync(join(ROOT, 'server/src/migrate-only.ts'))).toBe(true);
    expect([container.args, container.image]).toEqual([undefined, migration.image]);
    expect(podOf(render(ALL)).container.image).toBe(`agent-control-plane@sha256:${'a'.repeat(64)}`);
  });

  it('runs as Pod Security restricted wants it, on a read-only root', () => {
    const { spec, migration, container } = podOf(render(SECRET));
    expect(spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 10_001,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(spec).not.toHaveProperty('hostNetwork');
    for (const { securityContext, volumeMounts } of [migration, container]) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(volumeMounts?.map(({ mountPath }) => mountPath)).toEqual(['/data', '/tmp']);
    }
    expect(spec.volumes.map(({ name, emptyDir }) => [name, emptyDir])).toEqual([
      ['data', {}],
      ['tmp', {}],
    ]);
    const { metadata } = find(render(SECRET), 'Namespace');
    expect(metadata.labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' });
  });

  it('takes a copy out before it ends, and starts one before another goes', () => {
    const { spec, container } = podOf(render({ ...SECRET, drainSeconds: 60 }));
    expect(container.readinessProbe?.httpGet).toEqual({ path: '/readyz', port: 'http' });
    expect(container.livenessProbe?.httpGet).toEqual({ path: '/healthz', port: 'http' });
    expect(settingsOf(container)).toMatchObject({ DRAIN_SECONDS: '60' });
    expect(spec.terminationGracePeriodSeconds).toBe(80);
    const { periodSeconds = 0, failureThreshold = 0 } = container.startupProbe ?? {};
    expect(periodSeconds * failureThreshold).toBe(300);
    const rolling = find(render(SECRET), 'Deployment').spec.strategy.rollingUpdate;
    expect(rolling).toEqual({ maxUnavailable: 0, maxSurge: 1 });
    expect(find(render(SECRET), 'PodDisruptionBudget').spec).toMatchObject({ maxUnavailable: 1 });
  });
});
