import type { components } from '@docmill/client';

type Template = Pick<components['schemas']['TemplateDetail'], 'id' | 'version' | 'reviewState'>;

/** Whether live keys can use the template. */
export const isLive = ({ reviewState }: Template): boolean => reviewState === undefined || reviewState === 'approved';

/** The review of a version, compared with the live one if there is one. */
export function reviewPath(template: Template, version: number): string {
  const { id, version: live } = template;
  const compared = isLive(template) && live !== version ? `&before=${live}&after=${version}` : '';
  return `/templates/${id}/versions?review=${version}${compared}`;
}
