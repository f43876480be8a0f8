import { TRPCClientError } from '@trpc/client';
import type { ErrorData } from '../../server/trpc.js';

/** What went wrong, in the service's words where it spoke. */
export type Problem = {
  type: ErrorData['type'] | 'unreachable';
  title: string;
  detail: string;
  fields: readonly { field: string; message: string }[];
  requestId?: string;
};

const unreachable: Problem = {
  type: 'unreachable',
  title: 'The service cannot be reached',
  detail: 'Nothing was lost. Check your connection, then try again.',
  fields: [],
};

const unexpected: Problem = {
  type: 'internal_error',
  title: 'Something went wrong',
  detail: 'Try again; if it happens again, tell your administrator.',
  fields: [],
};

/** Marks what failed before it reached the service, such as a session that could not be renewed for want of a network. */
export class UnreachableError extends Error {}

/** What the service refused outside of `/trpc`. */
export class RefusedError extends Error {
  readonly data: ErrorData;

  constructor(data: ErrorData) {
    super(data.detail);
    this.data = data;
  }
}

function errorDataOf(error: unknown): ErrorData | undefined {
  if (error instanceof RefusedError) return error.data;
  if (!(error instanceof TRPCClientError)) return undefined;
  const data: unknown = error.data;
  if (typeof data !== 'object' || data === null || !('error' in data)) return undefined;
  return data.error as ErrorData;
}

/** Whether the service did not answer at all, so that the same request can be sent again. */
export function isOffline(error: unknown): boolean {
  if (error instanceof UnreachableError) return true;
  if (!(error instanceof TRPCClientError)) return false;
  return errorDataOf(error) === undefined && error.cause?.name !== 'AbortError';
}

/** Any failure as something to show. */
export function problemOf(error: unknown): Problem {
  const data = errorDataOf(error);
  if (!data) return isOffline(error) ? unreachable : unexpected;
  return {
    type: data.type,
    title: data.title,
    detail: data.detail,
    fields: data.fields ?? [],
    ...(data.request_id === undefined ? {} : { requestId: data.request_id }),
  };
}
