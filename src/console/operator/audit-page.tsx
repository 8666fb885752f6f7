import { ScrollText } from 'lucide-preact';
import { operatorTexts } from '../texts/operator.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { EmptyState } from '../ui/states.tsx';
import { ActList } from './act-list.tsx';

/** What operators changed in all accounts. */
export function AuditPage() {
  const empty = (
    <EmptyState title={operatorTexts.auditEmpty} icon={<ScrollText aria-hidden="true" />}>
      <p>{operatorTexts.auditEmptyText}</p>
    </EmptyState>
  );
  return (
    <>
      <PageHeader title={operatorTexts.audit} about={operatorTexts.auditAbout} />
      <ActList pageSize={50} empty={empty} />
    </>
  );
}
