import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type Outputs, useTRPC, useTRPCClient } from '../api/trpc.js';

export type ScheduledEmail = Outputs['scheduledEmails']['list']['data'][number];

/**
 * Records that the person sees the content of emails in the app, which keeps these emails from stopping automatically.
 *
 * @param isAbout returns whether an email is about what the page shows
 * @returns whether emails can be scheduled here
 */
export function useEmails(isAbout: (email: ScheduledEmail) => boolean): boolean {
  const trpc = useTRPC();
  const api = useTRPCClient();
  const answers = useQueryClient();
  const emails = useQuery(trpc.scheduledEmails.list.queryOptions(undefined, { staleTime: 60_000 }));
  const seen = emails.data?.data.filter((email) => email.unopened > 0 && isAbout(email)).map(({ id }) => id) ?? [];
  const ids = seen.join(' ');

  useEffect(() => {
    if (ids === '') return;
    const opened = ids.split(' ').map((id) => api.scheduledEmails.opened.mutate({ id: Number(id) }));
    // If it fails, the next visit records it.
    void Promise.all(opened).then(
      () => answers.invalidateQueries(trpc.scheduledEmails.pathFilter()),
      () => undefined,
    );
  }, [ids, api, answers, trpc]);
  return emails.data?.email_configured ?? false;
}
