export interface Step {
  readonly instruction: string;
  readonly text: string;
}

export interface Stage {
  readonly name: string;
  readonly from: string;
  readonly steps: readonly Step[];
}

/** The stages of a Dockerfile in order, without comments and line continuations. */
export function parseDockerfile(content: string): Stage[] {
  const stages: { name: string; from: string; steps: Step[] }[] = [];
  const lines = content
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\s*\\\n\s*/g, ' ')
    .split('\n');
  for (const line of lines.map((text) => text.trim()).filter((text) => text !== '')) {
    const [, instruction = '', text = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    if (instruction === 'FROM') {
      const [, from = '', name = ''] = /^(\S+)(?:\s+AS\s+(\S+))?$/.exec(text) ?? [];
      stages.push({ name, from, steps: [] });
    } else {
      stages.at(-1)?.steps.push({ instruction, text });
    }
  }
  return stages;
}
