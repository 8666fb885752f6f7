import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { countEngines, plannedMb } from '../../../src/shared/config/engine-counts.ts';
import { loadApiConfig, loadStorageConfig, loadWorkerConfig } from '../../../src/shared/config/load-config.ts';
import { type QueueName, queueNames } from '../../../src/shared/config/worker-variables.ts';
import { drainSeconds } from './drain-time.ts';
import { plainSecrets, unknownVariables } from './known-variables.ts';
import { type Container, type Manifest, overlays, type PodSpec, renderOverlay } from './render-overlay.ts';

const secretKeys = new Set(
  [...readFileSync('deploy/make-secrets', 'utf8').matchAll(/\| keep (\w+)/g)].map(([, name = '']) => name),
);
const dockerfile = readFileSync('Dockerfile', 'utf8');
const metricsPage = readFileSync('docs/reference/metrics.md', 'utf8');

const templateOf = ({ spec }: Manifest) => spec?.template ?? spec?.jobTemplate?.spec.template;
const podOf = (manifest: Manifest): PodSpec => {
  const { metadata } = manifest;
  const pod = templateOf(manifest)?.spec;
  if (pod === undefined) throw new Error(`${metadata.name} has no pods`);
  return pod;
};
const only = ({ containers }: PodSpec): Container => {
  const [container, ...others] = containers;
  if (container === undefined || others.length > 0) throw new Error('expected one container');
  return container;
};
const settingsOf = (container: Container, manifests: readonly Manifest[]): Readonly<Record<string, string>> => {
  const shared = (container.envFrom ?? []).flatMap(({ configMapRef: { name } }) => {
    const map = manifests.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name);
    if (map?.data === undefined) throw new Error(`the map of settings ${name} does not exist`);
    return Object.entries(map.data);
  });
  const own = (container.env ?? []).map(({ name, value }): [string, string] => [name, value]);
  return Object.fromEntries([...shared, ...own]);
};
const megabytes = (size: string): number => Number.parseInt(size, 10) * (size.endsWith('Gi') ? 1_024 : 1);
const cpus = (size: string): number => (size.endsWith('m') ? Number.parseInt(size, 10) / 1_000 : Number(size));

/** Replaces every file setting by some content. */
const withoutFiles = (settings: Readonly<Record<string, string>>): Record<string, string> => {
  const peers: Record<string, string> = {
    DATABASE_URL: 'postgres://a/b',
    REDIS_URL: 'redis://a',
    SMTP_URL: 'smtp://a',
    S3_SECRET_ACCESS_KEY: 'secret',
    WEBHOOK_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    RECEIPT_SIGNING_KEY: 'key',
  };
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => {
      const secret = /^(\w+)_FILE$/.exec(name)?.[1];
      return secret === undefined ? [name, value] : [secret, peers[secret] ?? ''];
    }),
  );
};

describe.each(overlays)('overlay %s', (overlay) => {
  const manifests = renderOverlay(overlay);
  const ofKind = (kind: string): readonly Manifest[] => manifests.filter((manifest) => manifest.kind === kind);
  const deployments = ofKind('Deployment');
  const workers = deployments.filter(({ metadata }) => metadata.name.startsWith('worker-'));
  const named = (kind: string, name: string): Manifest => {
    const found = ofKind(kind).find(({ metadata }) => metadata.name === name);
    if (found === undefined) throw new Error(`${overlay} has no ${kind} ${name}`);
    return found;
  };
  const queuesOf = (worker: Manifest): readonly string[] =>
    settingsOf(only(podOf(worker)), manifests).WORKER_QUEUES?.split(',') ?? [];
  const convertsPdf = (worker: Manifest): boolean => queuesOf(worker).some((queue) => queue.startsWith('pdf'));

  test('every queue has one kind of worker, which keeps documents, e-mails and batches apart', () => {
    expect(workers.flatMap(queuesOf).sort()).toEqual([...queueNames].sort());
    expect(workers.map(({ metadata }) => metadata.name).sort()).toEqual(
      ['batch', 'docx', 'mail', 'pdf', 'webhook'].map((kind) => `worker-${kind}`),
    );
  });

  test('processes start with their settings, and all secrets are mounted files', () => {
    for (const deployment of [...deployments, named('Job', 'migrate'), ...ofKind('CronJob')]) {
      const { name } = deployment.metadata;
      const pod = podOf(deployment);
      const settings = settingsOf(only(pod), manifests);
      expect(unknownVariables(Object.keys(settings)), name).toEqual([]);
      expect(plainSecrets(Object.keys(settings)), name).toEqual([]);
      const mounts = only(pod).volumeMounts ?? [];
      for (const path of Object.values(settings).filter((value) => value.startsWith('/run/secrets/'))) {
        const mount = mounts.find(({ mountPath }) => path.startsWith(`${mountPath}/`));
        const key = path.slice((mount?.mountPath.length ?? 0) + 1);
        const secret = pod.volumes?.find((volume) => volume.name === mount?.name)?.secret;
        expect(secret?.items?.some((item) => item.path === key) ?? secret !== undefined, `${name}: ${path}`).toBe(true);
        expect(secretKeys, `${name}: ${path}`).toContain(key);
      }
      if (name === 'api') loadApiConfig(withoutFiles(settings));
      if (name.startsWith('worker-')) loadWorkerConfig(withoutFiles(settings));
    }
    const withMail = workers.filter((worker) => podOf(worker).volumes?.some(({ name }) => name === 'mail'));
    expect(withMail.map(({ metadata }) => metadata.name)).toEqual(['worker-mail']);
  });

  test('images, ports and probes are the same as in the Dockerfile', () => {
    for (const deployment of deployments) {
      const container = only(podOf(deployment));
      const target = deployment.metadata.name === 'api' ? 'api' : 'worker';
      expect(dockerfile).toContain(` AS ${target}\n`);
      expect(container.image).toMatch(new RegExp(`/docmill-${target}:[\\w.]+$`));
      const ports = new Map(container.ports?.map(({ name, containerPort }) => [name, containerPort]));
      expect(dockerfile).toContain(`METRICS_PORT=${ports.get('metrics')}`);
      if (target === 'api') expect(dockerfile).toMatch(new RegExp(`\\bPORT=${ports.get('http')}\\n`));
      expect(container.readinessProbe?.httpGet).toEqual({
        path: '/readyz',
        port: target === 'api' ? 'http' : 'metrics',
      });
      for (const probe of [container.startupProbe, container.livenessProbe])
        expect(probe?.httpGet).toEqual({ path: '/healthz', port: 'metrics' });
    }
    expect(named('Service', 'api').spec?.ports).toMatchObject([{ port: 80, targetPort: 'http' }]);
  });

  test('a process has time to finish its work before it is killed', () => {
    for (const deployment of deployments) {
      const settings = withoutFiles(settingsOf(only(podOf(deployment)), manifests));
      const seconds = drainSeconds(deployment.metadata.name === 'api' ? 'api' : 'worker', settings);
      expect(podOf(deployment).terminationGracePeriodSeconds, deployment.metadata.name).toBeGreaterThanOrEqual(seconds);
    }
  });

  test('the engines of a worker fit into its limits', () => {
    for (const worker of workers) {
      const { resources } = only(podOf(worker));
      const queues = queuesOf(worker) as readonly QueueName[];
      const memoryMb = megabytes(resources.limits.memory);
      const machine = {
        cpus: Math.max(1, Math.floor(cpus(resources.limits.cpu))),
        memoryBytes: memoryMb * 1024 ** 2,
        hasCpuQuota: true,
      };
      const counts = { ...countEngines(machine, queues, 'on'), DIRECT_PDF: 'on' } as const;
      const shared = podOf(worker).volumes?.find(({ emptyDir }) => emptyDir?.medium === 'Memory')?.emptyDir?.sizeLimit;
      const needed = plannedMb(counts, queues) + (shared === undefined ? 0 : megabytes(shared));
      expect(needed, worker.metadata.name).toBeLessThanOrEqual(memoryMb);
      if (convertsPdf(worker)) expect(Math.max(counts.OFFICE_SLOTS, counts.BATCH_OFFICE_SLOTS)).toBe(machine.cpus);
      expect(megabytes(resources.requests.memory)).toBeLessThanOrEqual(memoryMb);
    }
  });

  test('every process is hardened, and only LibreOffice gets what its sandbox needs', () => {
    for (const workload of [...deployments, named('Job', 'migrate'), ...ofKind('CronJob')]) {
      const { name } = workload.metadata;
      const pod = podOf(workload);
      const { securityContext, volumeMounts = [] } = only(pod);
      const needsOffice = name.startsWith('worker-') && convertsPdf(workload);
      expect(pod.securityContext, name).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
      expect(pod, name).toMatchObject({ hostUsers: false, automountServiceAccountToken: false });
      expect(securityContext, name).toMatchObject({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
        ...(needsOffice && {
          procMount: 'Unmasked',
          appArmorProfile: { type: 'Unconfined' },
          seccompProfile: { type: 'Localhost', localhostProfile: 'docmill/worker.json' },
        }),
      });
      if (!needsOffice) expect(Object.keys(securityContext), name).not.toContain('procMount');
      expect(
        volumeMounts.some(({ mountPath }) => mountPath === '/dev/shm'),
        name,
      ).toBe(needsOffice);
      if (name.startsWith('worker-')) expect(settingsOf(only(pod), manifests).OFFICE_JAIL, name).toBe('required');
    }
  });

  test('the sandbox profile is copied from the image to the path that the pods use', () => {
    const pod = podOf(named('DaemonSet', 'seccomp-profile'));
    const script = only(pod).args?.join('\n') ?? '';
    expect(dockerfile).toMatch(/^COPY deploy\/worker-seccomp\.json deploy\/$/m);
    expect(script).toContain('cp /app/deploy/worker-seccomp.json ');
    expect(script).toMatch(/mv \S+ \/profiles\/worker\.json$/m);
    expect(pod.volumes?.[0]?.hostPath?.path).toBe('/var/lib/kubelet/seccomp/docmill');
  });

  test('budgets match the pods, which are spread over nodes and zones and use an existing account', () => {
    const budgets = ofKind('PodDisruptionBudget').map(({ spec }) => spec?.selector?.matchLabels);
    for (const deployment of deployments) {
      const labels = deployment.spec?.template?.metadata.labels ?? {};
      expect(deployment.spec?.selector?.matchLabels).toEqual(labels);
      expect(budgets).toContainEqual(labels);
      const keys = podOf(deployment).topologySpreadConstraints?.map(({ topologyKey }) => topologyKey);
      expect(keys).toEqual(['topology.kubernetes.io/zone', 'kubernetes.io/hostname']);
      named('ServiceAccount', podOf(deployment).serviceAccountName ?? '');
    }
  });

  test('only the named peers can be reached, and only e-mail and webhook workers reach public addresses', () => {
    const policies = ofKind('NetworkPolicy');
    expect(named('NetworkPolicy', 'deny-all').spec).toMatchObject({
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
    });
    const text = (manifest: Manifest): string => JSON.stringify(manifest.spec);
    const rulesOf = ({ spec }: Manifest) => (spec?.egress ?? []) as readonly { readonly to?: unknown }[];
    const isPublic = (to: unknown): boolean =>
      to === undefined || /"(0\.0\.0\.0\/0|::\/0|2000::)/.test(JSON.stringify(to));
    const isOpen = (policy: Manifest): boolean => rulesOf(policy).some(({ to }) => isPublic(to));
    expect(
      policies
        .filter(isOpen)
        .map(({ metadata }) => metadata.name)
        .sort(),
    ).toEqual(['allow-mail', 'allow-webhooks']);
    const webhooks = text(named('NetworkPolicy', 'allow-webhooks'));
    for (const range of ['10.0.0.0/8', '169.254.0.0/16', '192.168.0.0/16', '127.0.0.0/8', '100.64.0.0/10'])
      expect(webhooks).toContain(range);
    const components = new Set(
      manifests.flatMap((manifest) => templateOf(manifest)?.metadata.labels['app.kubernetes.io/component'] ?? []),
    );
    const selected = policies.flatMap((policy) => [...text(policy).matchAll(/"(api|worker-\w+|migrate|backup)"/g)]);
    for (const [, name = ''] of selected) expect(components).toContain(name);
  });

  test('everything is in one existing namespace', () => {
    const namespaces = new Set(manifests.flatMap(({ metadata }) => metadata.namespace ?? []));
    expect([...namespaces]).toEqual(ofKind('Namespace').map(({ metadata }) => metadata.name));
  });
});

test("production makes a backup every night on an existing volume, with its image's command", () => {
  const manifests = renderOverlay('production');
  const job = manifests.find(({ kind }) => kind === 'CronJob');
  if (job === undefined) throw new Error('production makes no backups');
  const container = only(podOf(job));
  expect(job.spec).toMatchObject({ schedule: '15 3 * * *', concurrencyPolicy: 'Forbid' });
  expect(container.image).toMatch(/\/docmill-backup:[\w.]+$/);
  const [, stage = ''] = /( AS backup\n.*?)\n\n/s.exec(dockerfile) ?? [];
  expect(stage).toContain(`\nCMD ${JSON.stringify(container.args).replaceAll(',', ', ')}`);
  loadStorageConfig(withoutFiles(settingsOf(container, manifests)));
  const folder = container.args?.at(-1);
  const mount = container.volumeMounts?.find(({ mountPath }) => mountPath === folder);
  const claim = podOf(job).volumes?.find(({ name }) => name === mount?.name)?.persistentVolumeClaim?.claimName;
  const claims = manifests.filter(({ kind }) => kind === 'PersistentVolumeClaim').map(({ metadata }) => metadata.name);
  expect(claims).toEqual([claim]);
  expect(manifests.map(({ metadata }) => metadata.name)).toContain('allow-backup');
});

describe('scaling in production', () => {
  const manifests = renderOverlay('production');
  const scalers = manifests.filter(({ kind }) => ['ScaledObject', 'HorizontalPodAutoscaler'].includes(kind));
  const text = (manifest: Manifest): string => JSON.stringify(manifest.spec);

  test('every process is scaled by one autoscaler, and no manifest sets its number as well', () => {
    const deployments = manifests.filter(({ kind }) => kind === 'Deployment');
    const targets = scalers.map(({ spec }) => spec?.scaleTargetRef?.name);
    expect(targets.sort()).toEqual(deployments.map(({ metadata }) => metadata.name).sort());
    for (const { spec } of deployments) expect(spec?.replicas).toBeUndefined();
  });

  test('queries name existing metrics, queues and namespaces, and cover every queue', () => {
    const workers = new Map(
      manifests
        .filter(({ kind, metadata }) => kind === 'Deployment' && metadata.name.startsWith('worker-'))
        .map((worker) => [worker.metadata.name, settingsOf(only(podOf(worker)), manifests).WORKER_QUEUES?.split(',')]),
    );
    for (const scaler of scalers.filter(({ kind }) => kind === 'ScaledObject')) {
      const queries = [...text(scaler).matchAll(/"query":"((?:[^"\\]|\\.)*)"/g)].map(([, query = '']) =>
        query.replaceAll('\\"', '"'),
      );
      for (const query of queries) expect(query).toContain(`namespace="${scaler.metadata.namespace}"`);
      for (const share of queries.slice(1)) {
        const [metric, ...others] = new Set(Array.from(share.matchAll(/(docmill_\w+)\{/g), ([, name]) => name));
        expect(others).toEqual([]);
        expect(metricsPage).toContain(`| \`${metric}\` | gauge | \`pool\`, \`state\` |`);
        expect(share).toContain(`job="docmill-${scaler.metadata.name}"`);
      }
      const [query = ''] = queries;
      const metric = /max\((\w+)\{/.exec(query)?.[1];
      expect(metricsPage).toContain(`| \`${metric}\` | gauge | \`queue\` |`);
      const pattern = new RegExp(`^(?:${/queue=~"([^"]+)"/.exec(query)?.[1]})$`);
      const covered = [...queueNames, 'pdf@25.2', 'pdf-batch@25.2'].filter((queue) => pattern.test(queue));
      const served = workers.get(scaler.metadata.name) ?? [];
      expect(covered.map((queue) => queue.replace(/@.*/, '')).filter((queue) => !served.includes(queue))).toEqual([]);
      expect(served.filter((queue) => !covered.includes(queue))).toEqual([]);
      for (const queue of served.filter((name) => name.startsWith('pdf'))) expect(covered).toContain(`${queue}@25.2`);
    }
  });

  test('Prometheus finds the metrics port of the pods', () => {
    const service = manifests.find(({ kind, metadata }) => kind === 'Service' && metadata.name === 'metrics');
    const monitor = manifests.find(({ kind }) => kind === 'ServiceMonitor');
    expect(monitor?.spec?.selector?.matchLabels).toMatchObject({ 'app.kubernetes.io/component': 'metrics' });
    expect(service?.metadata.labels).toMatchObject(monitor?.spec?.selector?.matchLabels ?? { missing: '' });
    expect(service?.spec?.ports).toMatchObject([{ name: 'metrics', targetPort: 'metrics' }]);
    expect(monitor?.spec?.endpoints).toMatchObject([{ port: 'metrics', path: '/metrics' }]);
    expect(manifests.some(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === 'allow-metrics')).toBe(
      true,
    );
  });
});
