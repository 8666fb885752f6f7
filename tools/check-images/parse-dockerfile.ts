export interface Step {
  readonly instruction: string;
  readonly text: string;
}

export interface Stage {
  readonly name: string;
  readonly from: string;
  readonly steps: readonly Step[];
}

/** The stages of a Dockerfile in order, without comments and line continuations. Arguments before the first stage have their defaults. */
export function parseDockerfile(content: string): Stage[] {
  const stages: { name: string; from: string; steps: Step[] }[] = [];
  const args = new Map<string, string>();
  const lines = content
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\s*\\\n\s*/g, ' ')
    .split('\n');
  for (const line of lines.map((text) => text.trim()).filter((text) => text !== '')) {
    const [, instruction = '', text = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    if (instruction === 'FROM') {
      const [, from = '', name = ''] = /^(\S+)(?:\s+AS\s+(\S+))?$/.exec(text) ?? [];
      const image = from.replace(/\$\{(\w+)\}/g, (_whole, arg: string) => args.get(arg) ?? '');
      stages.push({ name, from: image, steps: [] });
    } else if (instruction === 'ARG' && stages.length === 0) {
      const [arg = '', value = ''] = text.split(/=(.*)/);
      args.set(arg, value);
    } else {
      stages.at(-1)?.steps.push({ instruction, text });
    }
  }
  return stages;
}
