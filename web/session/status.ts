import { queryOptions } from '@tanstack/react-query';
import type { Api } from '../api/trpc.js';

/** Returns the query for the state of the service before anybody is signed in. */
export function sessionStatus(openApi: Api) {
  return queryOptions({ queryKey: ['session-status'], queryFn: () => openApi.session.status.query() });
}
