import { execFileSync } from 'node:child_process';
import { parseAllDocuments } from 'yaml';

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly envFrom?: readonly { readonly configMapRef: { readonly name: string } }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly resources: { readonly requests: Resources; readonly limits: Resources };
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly startupProbe?: Probe;
}

export interface Resources {
  readonly cpu: string;
  readonly memory: string;
}

export interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

export interface Volume {
  readonly name: string;
  readonly secret?: { readonly secretName: string; readonly items?: readonly { readonly path: string }[] };
  readonly emptyDir?: { readonly medium?: string; readonly sizeLimit: string };
  readonly hostPath?: { readonly path: string };
  readonly persistentVolumeClaim?: { readonly claimName: string };
}

export interface PodSpec {
  readonly containers: readonly Container[];
  readonly volumes?: readonly Volume[];
  readonly hostUsers?: boolean;
  readonly serviceAccountName?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly terminationGracePeriodSeconds?: number;
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly topologySpreadConstraints?: readonly { readonly topologyKey: string }[];
}

type Labels = Readonly<Record<string, string>>;

interface PodTemplate {
  readonly metadata: { readonly labels: Labels };
  readonly spec: PodSpec;
}

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels?: Labels };
  readonly data?: Labels;
  readonly spec?: {
    readonly replicas?: number;
    readonly scaleTargetRef?: { readonly name: string };
    readonly selector?: { readonly matchLabels?: Labels } & Readonly<Record<string, unknown>>;
    readonly template?: PodTemplate;
    readonly jobTemplate?: { readonly spec: { readonly template: PodTemplate } };
  } & Readonly<Record<string, unknown>>;
}

export const overlays = ['small', 'production'] as const;

/**
 * What `kubectl kustomize` prints for an overlay, without contacting a cluster. Throws with kubectl's message when it
 * refuses the files.
 */
export function renderOverlay(overlay: string): readonly Manifest[] {
  const kubectl = execFileSync('scripts/kubectl', ['--install'], { encoding: 'utf8' }).trim();
  const text = execFileSync(kubectl, ['kustomize', `deploy/kubernetes/overlays/${overlay}`], { encoding: 'utf8' });
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest);
}
