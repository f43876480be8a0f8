import { t } from '@lingui/core/macro';
import { TRPCClientError } from '@trpc/client';
import type { ErrorData } from '../../server/trpc.js';
import { fieldReasonText } from './field-reason-texts.js';
import { conflictText, type FieldText, problemText } from './messages.js';

/** The error, in words for people. */
export type Problem = {
  type: ErrorData['type'] | 'unreachable';
  title: string;
  detail: string;
  /** Errors of single fields, by the contract's names of the fields. */
  fields: readonly FieldText[];
  requestId?: string;
};

const unreachable: Problem = {
  type: 'unreachable',
  title: t`Can’t reach the server`,
  detail: t`Your input is kept. Check your connection and try again.`,
  fields: [],
};

const offline: Problem = {
  ...unreachable,
  title: t`You are offline`,
  detail: t`Your input is kept. Try again when you are back online.`,
};

const unexpected: Problem = {
  type: 'internal_error',
  title: t`Something went wrong`,
  detail: t`Try again. If it happens again, contact your administrator.`,
  fields: [],
};

function isWithoutNetwork(): boolean {
  return 'onLine' in navigator && !navigator.onLine;
}

/** A failure before a request reached the service, such as a session that could not be renewed without a network. */
export class UnreachableError extends Error {}

/** A request outside of `/trpc` that the service refused. */
export class RefusedError extends Error {
  readonly data: ErrorData;

  constructor(data: ErrorData) {
    super(data.detail);
    this.data = data;
  }
}

/** A picture that cannot be uploaded, with texts for people. */
export class PictureError extends Error {
  readonly title: string;

  constructor(title: string, detail: string) {
    super(detail);
    this.title = title;
  }
}

function errorDataOf(error: unknown): ErrorData | undefined {
  if (error instanceof RefusedError) return error.data;
  if (!(error instanceof TRPCClientError)) return undefined;
  const data: unknown = error.data;
  if (typeof data !== 'object' || data === null || !('error' in data)) return undefined;
  return data.error as ErrorData;
}

/** Returns whether the service did not answer at all, so that the same request can be sent again. */
export function isOffline(error: unknown): boolean {
  if (error instanceof UnreachableError) return true;
  if (!(error instanceof TRPCClientError)) return false;
  return errorDataOf(error) === undefined && error.cause?.name !== 'AbortError';
}

/**
 * Returns any failure as something to show.
 *
 * @param subject the name of what is being changed, for sentences that begin with it
 */
export function problemOf(error: unknown, subject?: string): Problem {
  if (error instanceof PictureError) {
    return { type: 'validation_error', title: error.title, detail: error.message, fields: [] };
  }
  const data = errorDataOf(error);
  if (!data) return isOffline(error) ? (isWithoutNetwork() ? offline : unreachable) : unexpected;
  const conflict = conflictText(data);
  const fields = conflict
    ? [conflict]
    : (data.fields ?? []).map(({ field, reason }) => ({ field, message: fieldReasonText(reason, field) }));
  const { title, detail } = problemText(data, subject);
  return {
    type: data.type,
    title,
    detail: fields.length > 0 ? fields.map(({ message }) => message).join('. ') : detail,
    fields,
    ...(data.request_id === undefined ? {} : { requestId: data.request_id }),
  };
}
