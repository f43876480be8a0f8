import type { ResourceKind } from './fields.js';

/** What a request can fail to find. */
export type Findable =
  | 'Alert'
  | 'API key'
  | 'Asset'
  | 'Audit'
  | 'Delivery'
  | 'Email domain'
  | 'Endpoint'
  | 'Floor plan'
  | 'Image'
  | 'Import'
  | 'Invitation'
  | 'Kind'
  | 'Location'
  | 'Member'
  | 'Organization'
  | 'Photo'
  | 'Problem'
  | 'Reader'
  | 'Rule'
  | 'Scheduled email'
  | 'Tag'
  | 'View';

/** What an organization can have only a limited number of. */
export type Limited =
  | 'API keys'
  | 'antennas with settings'
  | 'email domains'
  | 'endpoints'
  | 'images'
  | 'kinds of assets'
  | 'open invitations'
  | 'readers'
  | 'rules'
  | 'scheduled emails';

type Role = 'viewer' | 'operator' | 'manager' | 'admin';

/**
 * The reasons for which the service refuses a request of a person: the type of the error, and a sentence for
 * programmers and logs. The app has a text for each of these names and does not compile without it; it never reads the
 * sentences.
 */
export const reasons = {
  token_invalid: ['unauthorized', 'Invalid or expired token'],
  session_required: ['unauthorized', 'Session required'],
  credentials_wrong: ['unauthorized', 'The email address or the password is wrong'],
  role_missing: ['forbidden', ({ role }: { role: Role }) => `Missing required role: ${role}`],
  scope_missing: ['forbidden', ({ scope }: { scope: string }) => `Missing required scope: ${scope}`],
  changes_hidden: ['forbidden', 'Your role has no access to these changes'],
  not_found: ['not_found', ({ what }: { what: Findable }) => `${what} not found`],
  tag_not_attached: ['not_found', ({ kind }: { kind: ResourceKind }) => `Tag not found on this ${kind}`],
  busy: [
    'service_unavailable',
    ({ why, seconds }: { why: string; seconds: number }) => `${why}; ${retryAfter(seconds)}`,
  ],
  retry_later: ['rate_limited', ({ seconds }: { seconds: number }) => `Retry after ${seconds} seconds`],

  key_taken: [
    'conflict',
    ({ kind, key }: { kind: ResourceKind; key: string }) => `${kind} with external_key ${key} already exists`,
  ],
  tag_taken: ['conflict', ({ type, value }: { type: string; value: string }) => `tag ${type}:${value} already exists`],
  too_many_tags: [
    'conflict',
    ({ kind, max }: { kind: ResourceKind; max: number }) =>
      `${kind === 'asset' ? 'an' : 'a'} ${kind} can have at most ${max} tags`,
  ],
  location_in_itself: [
    'conflict',
    ({ parentId }: { parentId: number }) => `parent_id ${parentId} would create a self-referential cycle`,
  ],
  location_in_descendant: [
    'conflict',
    ({ parentId, locationId }: { parentId: number; locationId: number }) =>
      `parent_id ${parentId} would create a cycle through location ${locationId}`,
  ],
  too_many_levels: ['conflict', ({ max }: { max: number }) => `locations can be nested ${max} levels deep`],
  location_has_locations: [
    'conflict',
    'location has descendant locations; reassign or remove them before deleting (cascade is not supported)',
  ],
  location_has_assets: [
    'conflict',
    'location has assets placed at it; move or remove them before deleting (cascade is not supported)',
  ],
  limit_reached: [
    'conflict',
    ({ max, what }: { max: number; what: Limited }) => `An organization can have ${max} ${what} at most`,
  ],
  too_many_created: [
    'conflict',
    ({ what }: { what: Limited }) => `Too many ${what} of this organization were created and removed`,
  ],
  too_many_photos: ['conflict', ({ max }: { max: number }) => `An asset can have ${max} photos at most`],
  too_many_problems: ['conflict', ({ max }: { max: number }) => `An asset can have ${max} open problems at most`],
  images_too_large: [
    'conflict',
    ({ max }: { max: number }) => `The images of an organization can take ${max} MiB at most`,
  ],
  too_many_shared_views: ['conflict', ({ max }: { max: number }) => `An organization can share ${max} views at most`],
  too_many_own_views: ['conflict', ({ max }: { max: number }) => `A person can have ${max} views at most`],
  too_many_own_emails: ['conflict', ({ max }: { max: number }) => `A person can have ${max} scheduled emails at most`],
  email_just_sent: ['rate_limited', 'The email was sent within the last minute, or is being sent'],
  view_name_taken: ['conflict', 'A view with this name already exists'],
  kind_name_taken: ['conflict', 'A kind with this name already exists'],
  kind_changed: ['conflict', 'This kind was changed by somebody else; load it again'],
  kind_in_use: ['conflict', 'Assets have this kind'],
  plan_changed: ['conflict', 'The floor plan was changed by somebody else; load it again'],

  undo_gone: ['not_found', 'This change can no longer be undone'],
  undone_already: ['conflict', 'This change was undone already'],
  change_gone: ['not_found', 'This change is no longer kept'],
  change_not_restorable: ['conflict', 'This change cannot be restored'],
  changed_meanwhile: ['conflict', 'Somebody else is changing this; try again'],

  delivery_pending: ['conflict', 'This delivery is pending already'],
  endpoint_disabled: ['conflict', 'The endpoint is disabled; enable it first'],

  import_complete: ['conflict', 'This import accepts no more rows'],
  import_chunk_out_of_order: [
    'conflict',
    ({ next, chunk }: { next: number; chunk: number }) => `Chunk ${next} comes next, not ${chunk}`,
  ],
  import_too_large: ['payload_too_large', ({ bytes }: { bytes: number }) => `A file must be at most ${bytes} bytes`],
  import_applied: ['conflict', 'This import has been applied already'],
  import_canceled: ['conflict', 'This import was canceled'],
  import_running: ['conflict', 'This import is running already'],
  import_incomplete: ['conflict', 'The file is not completely received yet'],
  import_unchecked: ['conflict', 'The file must be checked before it is applied'],
  import_has_warnings: ['conflict', 'The file has warnings; look at them, and confirm that it is to be applied'],
  import_has_problems: ['conflict', 'The file has problems; correct them and choose it again'],
  import_outdated: ['conflict', 'Something changed after the check, so nothing was applied'],
  import_interrupted: ['conflict', 'The service was interrupted. Nothing was changed; start this step again'],
  import_failed: ['conflict', 'Something went wrong in the service. Nothing was changed; start this step again'],
  other_import_running: ['conflict', 'Another import of this organization is under way; wait until it has ended'],
  too_many_imports: [
    'rate_limited',
    ({ max, seconds }: { max: number; seconds: number }) =>
      `An organization can begin ${max} imports in 24 hours; retry after ${seconds} seconds`,
  ],

  not_empty: ['conflict', 'Sample data is for organizations without assets'],

  sign_up_closed: ['forbidden', 'Sign-up is closed'],
  no_membership: ['forbidden', 'You are not a member of any organization. Ask for an invitation'],
  member_already: ['conflict', 'You are a member of this organization already'],
  last_administrator: [
    'conflict',
    'An organization needs an administrator; make another member an administrator first',
  ],
  too_many_members: ['forbidden', 'Your organization has too many members. Contact your administrator'],
  email_taken: ['conflict', ({ email }: { email: string }) => `user with email ${email} already exists`],
  invitation_ended: ['not_found', 'This invitation is no longer valid; ask for a new link'],
  link_used: ['not_found', 'This link cannot be used any more; request a new one'],
  link_of_other_browser: ['forbidden', 'This link has expired, or it was asked for in another browser'],
  email_not_configured: ['conflict', 'Email is not configured on this server; ask an administrator'],
  email_not_sent: [
    'service_unavailable',
    ({ seconds }: { seconds: number }) => `The email could not be sent; ${retryAfter(seconds)}`,
  ],
  password_needed: ['conflict', 'Set a password first; otherwise you could not sign in'],

  domain_added: ['conflict', 'Your organization has this domain already'],
  domain_of_others: ['conflict', 'Another organization has verified this domain. Contact the operator of this server'],
  domain_record_missing: ['conflict', 'The DNS record was not found. A new record can take up to an hour to appear'],
  domain_unreadable: [
    'service_unavailable',
    ({ seconds }: { seconds: number }) => `The DNS records of the domain could not be read; ${retryAfter(seconds)}`,
  ],

  sign_on_not_configured: ['conflict', 'Single sign-on is not configured on this server'],
  sign_on_needs_cookies: ['bad_request', 'Single sign-on needs a browser with cookies'],
  sign_on_over: ['forbidden', 'This sign-in has expired, or it was started in another browser. Start again'],
  sign_on_unproven: ['forbidden', 'The identity provider did not confirm who you are. Try again'],
  sign_on_denied: [
    'forbidden',
    'You canceled the sign-in, or the identity provider does not allow you to use this service',
  ],
  sign_on_refused: ['forbidden', 'The identity provider refused the sign-in. Try again, or contact your administrator'],
  sign_on_without_email: [
    'forbidden',
    'The identity provider sent no email address for you. Contact your administrator',
  ],
  sign_on_email_unverified: [
    'forbidden',
    'Your email address is not verified at the identity provider. Verify it there, and try again',
  ],
  sign_on_without_verification: [
    'forbidden',
    'The identity provider does not say whether your email address is verified. Contact your administrator',
  ],
  sign_on_issuer_differs: [
    'conflict',
    'The identity provider has another issuer than the settings of this server. Contact your administrator',
  ],
  sign_on_of_another_person: [
    'forbidden',
    'The account with your email address is connected to another person at the identity provider. Contact your administrator',
  ],
  sign_on_without_account: [
    'forbidden',
    ({ email }: { email: string }) =>
      `Nobody has an account with the address ${email}. Ask an administrator of your organization for an invitation`,
  ],
  sign_on_connected: ['conflict', 'This sign-on is connected to an account already'],
  sign_on_address_differs: ['conflict', 'The identity provider does not confirm the address of your account'],
  provider_unreachable: [
    'service_unavailable',
    ({ seconds }: { seconds: number }) => `The identity provider cannot be reached; ${retryAfter(seconds)}`,
  ],
} as const satisfies Record<string, readonly [type: string, detail: string | ((params: never) => string)]>;

function retryAfter(seconds: number): string {
  return `retry after ${seconds} second${seconds === 1 ? '' : 's'}`;
}

export type ReasonName = keyof typeof reasons;

type Detail<Name extends ReasonName> = (typeof reasons)[Name][1];

/** What the text of a reason is about; nothing for most. */
export type ReasonParams<Name extends ReasonName> =
  Detail<Name> extends (params: infer Params) => string ? Params : undefined;

export type PlainReason = { [Name in ReasonName]: ReasonParams<Name> extends undefined ? Name : never }[ReasonName];

/** A reason with what its text is about, as it is sent to the app. */
export type Reason = {
  [Name in ReasonName]: ReasonParams<Name> extends undefined
    ? { name: Name; params?: undefined }
    : { name: Name; params: ReasonParams<Name> };
}[ReasonName];
