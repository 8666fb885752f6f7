import { Link } from 'wouter-preact';
import { shownName, type TemplateNames } from './use-template-names.ts';

interface TemplateLinkProps {
  readonly id: string;
  readonly names: TemplateNames;
}

/** The name of a template, and the way to it: names are known only of templates that exist and that the key may read. */
export function TemplateLink({ id, names }: TemplateLinkProps) {
  const name = shownName(names, id);
  return typeof names.get(id) === 'string' ? <Link href={`/templates/${id}`}>{name}</Link> : <span>{name}</span>;
}
