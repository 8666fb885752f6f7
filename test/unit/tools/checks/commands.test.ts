import { expect, it } from 'vitest';
import { readCommands } from '../../../acceptance/documentation/commands.ts';

const page = `# Page

\`\`\`sh
a \\
  --long
b
\`\`\`

Text.

\`\`\`console
$ c \\
    --long
output
$ d <<'END'
> text
> END
more output
\`\`\`

<!-- not executed: needs a container engine -->

\`\`\`sh
docker compose up
\`\`\`

\`\`\`json
{"not": "a command"}
\`\`\`
`;

it('reads the commands of a page in order, without output and without the blocks that are not executed', () => {
  expect(readCommands(page)).toEqual({
    script: "a \\\n  --long\nb\n\nc \\\n    --long\nd <<'END'\ntext\nEND",
    skipped: ['needs a container engine'],
  });
});
