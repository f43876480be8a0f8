import type { Outputs } from '../../api/trpc.js';

export type Audit = Outputs['audits']['list']['data'][number];
export type AuditItem = Outputs['audits']['items']['data'][number];
export type Outcome = AuditItem['outcome'];

export const outcomes: readonly { name: Outcome; label: string; color: string }[] = [
  { name: 'found', label: 'Found', color: 'green' },
  { name: 'missing', label: 'Missing', color: 'red' },
  { name: 'unexpected', label: 'Unexpected', color: 'orange' },
  { name: 'unassigned', label: 'Unassigned', color: 'gray' },
];

export function outcomeLabel(outcome: Outcome | null): string {
  return outcomes.find(({ name }) => name === outcome)?.label ?? 'Not in the audit';
}
