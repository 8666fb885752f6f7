import type { components } from '@docmill/client';
import { Link } from 'wouter-preact';
import { useDocmill } from '../session/session.ts';
import { reviewTexts } from '../texts/reviews.ts';
import { useLoad } from '../ui/use-load.ts';
import { isLive, reviewPath } from './review-path.ts';

type Template = components['schemas']['TemplateDetail'];

/** On the page of a template: the draft that waits, and whether any version is live. */
export function ReviewNote({ template }: { readonly template: Template }) {
  const { draftVersion } = template;
  if (draftVersion === undefined && isLive(template)) return null;
  return (
    <section class="card">
      {!isLive(template) && <p>{reviewTexts.noneLive}</p>}
      {draftVersion !== undefined && <Waiting template={template} version={draftVersion} />}
    </section>
  );
}

function Waiting({ template, version }: { readonly template: Template; readonly version: number }) {
  const docmill = useDocmill();
  const key = `${template.id} ${version} ${template.updatedAt}`;
  const { value } = useLoad((signal) => docmill.templates.review(template.id, version, { signal }), key);
  const state = value?.state === 'review' ? 'review' : 'draft';
  return (
    <p>
      {reviewTexts.waiting[state](version)} <Link href={reviewPath(template, version)}>{reviewTexts.open}</Link>
    </p>
  );
}
