/** All that the chart needs. */
export const SECRET = { existingSecret: 'control-plane' };

/** With a value for nearly everything. */
export const ALL = {
  ...SECRET,
  image: { digest: `sha256:${'a'.repeat(64)}`, pullSecrets: ['registry'] },
  settings: {
    LLM_MODEL: '$(m)',
    RETENTION_EVENTS_DAYS: 36_500,
    OTEL_SDK_DISABLED: true,
    LLM_BASE_URL: 'http://llm',
  },
  forwardedForProxies: ['10.0.0.0/8', '192.168.1.1'],
  runtime: {
    namespace: 'agents',
    image: { tag: '7', pullPolicy: 'Always', pullSecrets: ['registry'] },
    runtimeClassName: 'gvisor',
    nodeSelector: { pool: 'agents' },
    tolerations: [{ key: 'agents', operator: 'Exists', effect: 'NoSchedule' }],
  },
  networkPolicy: {
    ingressFrom: [{ ipBlock: { cidr: '10.1.0.0/16' } }],
    runtimesFrom: [{ ipBlock: { cidr: '10.2.0.0/16' } }],
  },
  ingress: {
    enabled: true,
    className: 'nginx',
    host: 'cp.example.com',
    tlsSecret: 'tls',
    annotations: { a: 'b' },
  },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
};
