import { Link } from 'wouter-preact';
import { shownName, type TemplateNames } from './use-template-names.ts';

interface TemplateLinkProps {
  readonly id: string;
  readonly names: TemplateNames;
}

/** A link to a template, by name. Only existing templates that the key may read have a known name. */
export function TemplateLink({ id, names }: TemplateLinkProps) {
  const name = shownName(names, id);
  return typeof names.get(id) === 'string' ? <Link href={`/templates/${id}`}>{name}</Link> : <span>{name}</span>;
}
