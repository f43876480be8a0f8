import { t } from '@lingui/core/macro';
import type { ReasonName } from '../../server/kernel/reasons.js';
import type { ErrorData } from '../../server/trpc.js';
import { reasonText } from './reason-texts.js';

/** A text for the person who fills in a form, and the contract's name of the field that it belongs to. */
export type FieldText = { field: string; message: string };

type ErrorText = Pick<ErrorData, 'type' | 'reason'>;

const titles: Readonly<Record<ErrorData['type'], string>> = {
  validation_error: t`Check your input`,
  bad_request: t`This request could not be processed`,
  unauthorized: t`Sign-in failed`,
  forbidden: t`You don’t have permission`,
  not_found: t`Not found`,
  method_not_allowed: t`This is not possible`,
  conflict: t`This is not possible`,
  gone: t`No longer available`,
  payload_too_large: t`This is too large`,
  unsupported_media_type: t`This file type is not supported`,
  missing_org_context: t`Choose an organization first`,
  rate_limited: t`Too many requests`,
  service_unavailable: t`The server is busy`,
  internal_error: t`Something went wrong`,
};

/** The fields that conflicts concern. */
const conflictFields: Readonly<Partial<Record<ReasonName, string>>> = {
  key_taken: 'external_key',
  tag_taken: 'value',
  too_many_tags: 'value',
  email_taken: 'email',
};

/**
 * Returns the heading and the sentence to show for an error of the service.
 *
 * @param subject what the person is changing, such as the name of a location, for sentences that begin with it
 */
export function problemText({ type, reason }: ErrorText, subject?: string): { title: string; detail: string } {
  return { title: titles[type], detail: reasonText(reason, subject) };
}

/** Returns the field that a conflict concerns, with the text to show at the field; undefined if it concerns none. */
export function conflictText({ reason }: Pick<ErrorText, 'reason'>): FieldText | undefined {
  const field = reason && conflictFields[reason.name];
  return field === undefined ? undefined : { field, message: reasonText(reason) };
}
