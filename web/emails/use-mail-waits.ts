import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../api/trpc.js';

const select = ({ mail_waits: waits }: { mail_waits: boolean }) => waits;

/** Returns whether emails to the person wait until the address is confirmed. */
export function useMailWaits(): boolean {
  return useQuery(useTRPC().session.me.queryOptions(undefined, { select })).data ?? false;
}
