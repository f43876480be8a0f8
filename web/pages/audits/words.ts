import { t } from '@lingui/core/macro';
import type { Outputs } from '../../api/trpc.js';

export type Audit = Outputs['audits']['list']['data'][number];
export type AuditItem = Outputs['audits']['items']['data'][number];
export type Outcome = AuditItem['outcome'];

export const outcomes: readonly { name: Outcome; label: string; color: string }[] = [
  { name: 'found', label: t`Found`, color: 'green' },
  { name: 'missing', label: t`Missing`, color: 'red' },
  { name: 'unexpected', label: t`Unexpected`, color: 'orange' },
  { name: 'unassigned', label: t`Unassigned`, color: 'gray' },
];

export function outcomeLabel(outcome: Outcome | null): string {
  return outcomes.find(({ name }) => name === outcome)?.label ?? t`Not in the audit`;
}
