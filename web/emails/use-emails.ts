import { useQuery } from '@tanstack/react-query';
import { type Outputs, useTRPC } from '../api/trpc.js';

export type ScheduledEmail = Outputs['scheduledEmails']['list']['data'][number];

/** Returns whether emails can be scheduled. */
export function useCanEmail(): boolean {
  const trpc = useTRPC();
  const emails = useQuery(trpc.scheduledEmails.list.queryOptions(undefined, { staleTime: 60_000 }));
  return emails.data?.email_configured ?? false;
}
