import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Command } from '@commander-js/extra-typings';
import type { components, Docmill } from '@docmill/client';
import type { Cli } from '../cli.ts';
import { findTemplate } from '../find-template.ts';
import { wholeNumber } from '../option-values.ts';

type Review = components['schemas']['Review'];

interface Step {
  readonly docmill: Docmill;
  readonly id: string;
  readonly version: number;
  readonly comment: string | undefined;
  readonly signal: AbortSignal;
}

/** What is printed for a version in this state. */
const outcomes: Readonly<Record<NonNullable<Review['state']>, string>> = {
  draft: 'is a draft',
  review: 'waits for the approval of another person',
  approved: 'is live',
  refused: 'is refused; the live version stays',
};

const command = (cli: Cli, name: string, description: string, step: (input: Step) => Promise<Review>) =>
  new Command(name)
    .description(description)
    .argument('<template>', 'name or id of the template')
    .option('--template-version <number>', 'the version (default: the newest draft)', wholeNumber(1, 2_000_000_000))
    .action(async (named, { templateVersion }, running) => {
      const { output, connect } = cli.start(running);
      const { docmill } = connect();
      const { signal } = cli;
      const template = await findTemplate(docmill, named, signal);
      const version = templateVersion ?? template.draftVersion ?? template.version;
      const { comment } = running.opts() as { readonly comment?: string };
      const review = await step({ docmill, id: template.id, version, comment, signal });
      output.result(review, () =>
        output.line(`Version ${version} of ${review.templateName} ${outcomes[review.state ?? 'approved']}.`),
      );
    });

export function submitTemplateCommand(cli: Cli): CommandUnknownOpts {
  return command(
    cli,
    'submit',
    'submit a draft for review, in an account that needs approval',
    ({ docmill, id, version, comment, signal }) => docmill.templates.submit(id, version, { comment, signal }),
  ).option('--comment <text>', 'what the approver should know');
}

export function approveTemplateCommand(cli: Cli): CommandUnknownOpts {
  return command(
    cli,
    'approve',
    'make a version in review the live one; needs the scope templates:approve',
    ({ docmill, id, version, comment, signal }) => docmill.templates.approve(id, version, { comment, signal }),
  ).option('--comment <text>', 'what the author should know');
}

export function refuseTemplateCommand(cli: Cli): CommandUnknownOpts {
  return command(
    cli,
    'refuse',
    'refuse a version in review for good; needs the scope templates:approve',
    ({ docmill, id, version, comment = '', signal }) => docmill.templates.refuse(id, version, comment, { signal }),
  ).requiredOption('--comment <text>', 'what is wrong');
}
