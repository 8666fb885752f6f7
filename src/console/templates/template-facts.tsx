import type { components } from '@docmill/client';
import { Link } from 'wouter-preact';
import { serviceUrl } from '../session/addresses.ts';
import { hasScope } from '../session/session.ts';
import { templatePageTexts, templateTexts } from '../texts/templates.ts';
import { Badge } from '../ui/badge.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Facts } from '../ui/facts.tsx';
import { formatBytes, formatNumber } from '../ui/format.ts';
import { ErrorNote, Skeleton } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import type { Tone } from '../ui/tone.ts';
import type { Loaded } from '../ui/use-load.ts';
import { FieldsCard } from './fields-card.tsx';
import { warningsOf } from './problems/problem.ts';
import { ProblemList } from './problems/problem-list.tsx';
import { StatisticsCard } from './statistics-card.tsx';
import type { Checks } from './use-checks.ts';
import type { Statistics } from './use-statistics.ts';

type Template = components['schemas']['TemplateDetail'];
type Font = Template['fonts'][number];
type Include = components['schemas']['TemplateInclude'];

interface TemplateFactsProps {
  readonly template: Template;
  readonly checks: Loaded<Checks | undefined>;
  /** Undefined while loading; null if loading failed. */
  readonly statistics: Statistics | null | undefined;
}

export function TemplateFacts({ template, checks, statistics }: TemplateFactsProps) {
  const {
    id,
    version,
    size,
    createdAt,
    updatedAt,
    officeVersion,
    pdfEngine,
    fonts,
    accessibility,
    tags,
    includes = [],
  } = template;
  return (
    <div class="template-facts">
      {hasScope('templates:write') && <ChecksCard checks={checks} delimiters={template.delimiters} />}
      <StatisticsCard statistics={statistics} />
      <section class="card">
        <h2>{templatePageTexts.facts}</h2>
        <Facts
          layout="lines"
          facts={[
            [templatePageTexts.currentVersion, formatNumber(version)],
            [templatePageTexts.size, formatBytes(size)],
            [templatePageTexts.created, <Time value={createdAt} isExact />],
            [templatePageTexts.changed, <Time value={updatedAt} isExact />],
            [templatePageTexts.office, officeVersion],
            [
              templatePageTexts.engine,
              pdfEngine === 'direct' ? templatePageTexts.direct : <OfficeLayout template={template} />,
            ],
            [templatePageTexts.id, <code>{id}</code>],
          ]}
        />
        <CopyButton text={id} label={templatePageTexts.copyId} />
      </section>
      {includes.length > 0 && <Includes includes={includes} />}
      <section class="card">
        <h2>{templatePageTexts.fonts}</h2>
        {fonts.length === 0 ? <p class="muted">{templatePageTexts.noFonts}</p> : <Fonts fonts={fonts} />}
      </section>
      <FieldsCard id={id} version={version} tags={tags} />
      {accessibility.length > 0 && (
        <section class="card">
          <h2>{templatePageTexts.accessibility}</h2>
          <ul class="plain-list">
            {accessibility.map(({ code, message }) => (
              <li key={code}>{message}</li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function OfficeLayout({ template: { id, proving } }: { readonly template: Template }) {
  return (
    <>
      {templatePageTexts.byOffice} ·{' '}
      <Link href={`/templates/${id}/layout`}>
        {proving ? templatePageTexts.comparing : templatePageTexts.whyOffice}
      </Link>
    </>
  );
}

function ChecksCard({
  checks: { value, error, isLoading, reload },
  delimiters,
}: {
  readonly checks: TemplateFactsProps['checks'];
  readonly delimiters: string;
}) {
  const warnings = value?.warnings ?? [];
  return (
    <section class="card" aria-busy={isLoading}>
      <h2>{templatePageTexts.checks}</h2>
      {error !== undefined && <ErrorNote error={error} onRetry={reload} />}
      {error === undefined && value === undefined && <Skeleton lines={1} />}
      {value !== undefined && warnings.length === 0 && <p class="all-good">{templatePageTexts.allGood}</p>}
      {warnings.length > 0 && <ProblemList problems={warningsOf(warnings, delimiters)} />}
    </section>
  );
}

function Includes({ includes }: { readonly includes: readonly Include[] }) {
  return (
    <section class="card">
      <h2>{templatePageTexts.includes}</h2>
      <ul class="plain-list">
        {includes.map(({ name, status, templateId, version }) => (
          <li key={name} class="font">
            {templateId === undefined ? name : <Link href={`/templates/${templateId}`}>{name}</Link>}
            {version !== undefined && <span class="muted small">{templateTexts.version(version)}</span>}
            {status !== 'found' && <Badge tone="bad">{templatePageTexts.includeStates[status]}</Badge>}
          </li>
        ))}
      </ul>
    </section>
  );
}

const tones: Readonly<Record<Font['status'], Tone>> = {
  available: 'good',
  substituted: 'info',
  missing: 'warn',
  unknown: 'neutral',
};

function Fonts({ fonts }: { readonly fonts: readonly Font[] }) {
  return (
    <>
      <ul class="plain-list">
        {fonts.map(({ name, status, substitute }) => (
          <li key={name} class="font">
            <span>
              <strong>{name}</strong>
              {status === 'missing' && <span class="muted small">{templatePageTexts.fontMissing}</span>}
              {status === 'substituted' && substitute !== undefined && (
                <span class="muted small">{templatePageTexts.fontSubstitute(substitute)}</span>
              )}
            </span>
            <Badge tone={tones[status]}>{templatePageTexts.fontStates[status]}</Badge>
          </li>
        ))}
      </ul>
      {fonts.some(({ status }) => status === 'missing') && (
        <p class="small">
          <Link href="/fonts">{templatePageTexts.uploadFonts}</Link> ·{' '}
          <a href={`${serviceUrl}/guide/guides/fonts.html`}>{templatePageTexts.aboutFonts}</a>
        </p>
      )}
    </>
  );
}
