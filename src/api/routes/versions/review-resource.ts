import { z } from '@hono/zod-openapi';
import { type Approval, type ReviewPerson, reviewActions, reviewStates } from '../../../shared/db/schema/templates.ts';
import type { VersionRecord } from '../../../shared/domain/templates/find-versions.ts';
import { earlierSyntax } from '../../../shared/template-syntax.ts';
import { exampleId } from '../common-schemas.ts';
import { syntaxResource, toSyntaxResource } from '../templates/template-syntax-resource.ts';

const person = {
  keyId: z.string().openapi({ description: 'Id of the API key.', example: exampleId('key') }),
  name: z.string().optional().openapi({ description: 'Name of the key.', example: 'Ada Lovelace' }),
};

export const reviewPersonSchema = z.object(person).openapi('ReviewPerson', {
  description: 'A person, as the account knows it: an API key. Absent if it was not recorded.',
});

export const reviewStateSchema = z.enum(reviewStates).openapi('ReviewState', {
  description:
    '`draft`: not yet submitted. `review`: waits for approval. `approved`: live keys may use it. `refused`: never live. Absent for a version that needs no approval.',
});

export const approvalSchema = z
  .object({
    ...person,
    at: z.iso.datetime().openapi({ description: 'When the version became live.' }),
    overrideReason: z
      .string()
      .optional()
      .openapi({ description: 'Why it was made live without approval. Absent for a version that was approved.' }),
  })
  .openapi('Approval', {
    description: 'Who made the version live. Absent if nobody did yet, and for a version that needs no approval.',
  });

const entry = z
  .object({
    action: z.enum(reviewActions).openapi({ description: 'What was done.' }),
    ...person,
    at: z.iso.datetime().openapi({ description: 'When.' }),
    comment: z.string().optional().openapi({ description: 'The comment, or the reason of an override.' }),
  })
  .openapi('ReviewEntry');

export const reviewSchema = z
  .object({
    templateId: z.string().openapi({ description: 'Id of the template.', example: exampleId('tpl') }),
    templateName: z.string().openapi({ description: 'Name of the template.', example: 'invoice.docx' }),
    version: z.number().int().openapi({ description: 'The version.' }),
    state: reviewStateSchema.optional(),
    liveVersion: z
      .number()
      .int()
      .optional()
      .openapi({ description: 'The version that live keys use by default. Absent if none is live yet.' }),
    uploadedBy: reviewPersonSchema.optional(),
    uploadedByYou: z
      .boolean()
      .openapi({ description: 'Whether the person of this API key is the author, who must not approve it.' }),
    createdAt: z.iso.datetime().openapi({ description: 'When it was uploaded.' }),
    approval: approvalSchema.optional(),
    fonts: z.array(z.string()).openapi({ description: 'Names of the fonts that it uses.', example: ['Calibri'] }),
    ...syntaxResource,
    log: z.array(entry).openapi({ description: 'The steps of the review, oldest first.' }),
  })
  .openapi('Review');

const toPerson = ({ keyId, name }: ReviewPerson): z.infer<typeof reviewPersonSchema> => ({
  keyId,
  ...(name !== null && { name }),
});

export const toApproval = ({ at, overrideReason, ...by }: Approval): z.infer<typeof approvalSchema> => ({
  ...toPerson(by),
  at,
  ...(overrideReason !== undefined && { overrideReason }),
});

/** The fields of a version that are about its review. */
export function toReviewFields({ uploadedBy, uploaderName, approval }: VersionRecord) {
  return {
    ...(uploadedBy !== null && { uploadedBy: toPerson({ keyId: uploadedBy, name: uploaderName }) }),
    ...(approval !== null && { approval: toApproval(approval) }),
  };
}

interface ReviewContext {
  readonly templateId: string;
  readonly liveVersion: number | undefined;
  readonly isByYou: boolean;
}

export function toReview(
  version: VersionRecord,
  { templateId, liveVersion, isByYou }: ReviewContext,
): z.infer<typeof reviewSchema> {
  return {
    templateId,
    templateName: version.name,
    version: version.version,
    ...(version.reviewState !== null && { state: version.reviewState }),
    ...(liveVersion !== undefined && { liveVersion }),
    ...toReviewFields(version),
    uploadedByYou: isByYou,
    createdAt: version.createdAt.toISOString(),
    fonts: [...version.fonts],
    ...toSyntaxResource(version.syntax ?? earlierSyntax),
    log: version.reviewLog.map(({ action, at, comment, ...by }) => ({
      action,
      ...toPerson(by),
      at,
      ...(comment !== undefined && { comment }),
    })),
  };
}
