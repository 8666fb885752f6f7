import type { components, Docmill } from '@docmill/client';
import { Link } from 'wouter-preact';
import { useDocmill } from '../session/session.ts';
import { fontTexts } from '../texts/fonts.ts';
import { Skeleton } from '../ui/states.tsx';
import { useLoad } from '../ui/use-load.ts';

type Template = components['schemas']['TemplateDetail'];

interface MissingFont {
  readonly name: string;
  readonly substitute: string | undefined;
  readonly templates: readonly Pick<Template, 'id' | 'name'>[];
}

/** Each template is a request of its own, so that only the newest are read. */
const maxTemplates = 50;
const maxAtOnce = 4;

/** The fonts that the newest templates name and the service lacks. Left out if the templates cannot be read. */
export function MissingFonts({ round }: { readonly round: number }) {
  const docmill = useDocmill();
  const { value, error } = useLoad((signal) => readTemplates(docmill, signal), String(round));
  if (error !== undefined) return null;
  return (
    <section class="card">
      <h2>{fontTexts.missing}</h2>
      {value === undefined ? <Skeleton lines={2} /> : <Missing templates={value} />}
    </section>
  );
}

function Missing({ templates }: { readonly templates: readonly Template[] }) {
  const missing = missingFonts(templates);
  if (templates.length === 0) return <p class="muted">{fontTexts.noTemplates}</p>;
  if (missing.length === 0) return <p class="muted">{fontTexts.noneMissing(templates.length)}</p>;
  return (
    <>
      <p class="muted">{fontTexts.missingOf(templates.length)}</p>
      <ul class="missing-fonts" aria-label={fontTexts.missing}>
        {missing.map(({ name, substitute, templates: named }) => (
          <li key={name}>
            <strong class="breaks">{name}</strong>
            {substitute !== undefined && <span class="muted"> {fontTexts.printedWith(substitute)}</span>}
            <p class="small breaks">
              {fontTexts.namedIn}{' '}
              {named.map((template, index) => (
                <span key={template.id}>
                  {index > 0 && ', '}
                  <Link href={`/templates/${template.id}`}>{template.name}</Link>
                </span>
              ))}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}

async function readTemplates(docmill: Docmill, signal: AbortSignal): Promise<readonly Template[]> {
  const ids: string[] = [];
  for await (const { id } of docmill.templates.list({ limit: maxTemplates }, { signal })) {
    ids.push(id);
    if (ids.length === maxTemplates) break;
  }
  const found: Template[] = [];
  const read = async (): Promise<void> => {
    for (let id = ids.shift(); id !== undefined; id = ids.shift())
      found.push(await docmill.templates.get(id, { signal }));
  };
  await Promise.all(Array.from({ length: maxAtOnce }, read));
  return found;
}

function missingFonts(templates: readonly Template[]): readonly MissingFont[] {
  const found = new Map<string, MissingFont>();
  for (const { id, name: template, fonts } of templates) {
    for (const { name, status, substitute } of fonts) {
      if (status !== 'missing') continue;
      const before = found.get(name)?.templates ?? [];
      found.set(name, { name, substitute, templates: [...before, { id, name: template }] });
    }
  }
  return [...found.values()].toSorted((a, b) => b.templates.length - a.templates.length || (a.name < b.name ? -1 : 1));
}
