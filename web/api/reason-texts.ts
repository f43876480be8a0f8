import { plural, t } from '@lingui/core/macro';
import type { Findable, Limited, Reason, ReasonName, ReasonParams } from '../../server/kernel/reasons.js';
import { numberText } from '../ui/quantity.js';

const generalText = t`Try again. If it happens again, contact your administrator.`;

const notFoundTexts: Readonly<Record<Findable, string>> = {
  Alert: t`Alert not found`,
  'API key': t`API key not found`,
  Asset: t`Asset not found`,
  Audit: t`Audit not found`,
  Delivery: t`Delivery not found`,
  'Email domain': t`Domain not found`,
  Endpoint: t`Webhook not found`,
  'Floor plan': t`Floor plan not found`,
  Image: t`Image not found`,
  Import: t`Import not found`,
  Invitation: t`Invitation not found`,
  Kind: t`Kind not found`,
  Location: t`Location not found`,
  Member: t`Member not found`,
  Organization: t`Organization not found`,
  Photo: t`Photo not found`,
  Problem: t`This problem is no longer kept`,
  Reader: t`Reader not found`,
  Rule: t`Alert rule not found`,
  'Scheduled email': t`Scheduled email not found`,
  Tag: t`Tag not found`,
  View: t`View not found`,
};

const roleTexts: Readonly<Record<ReasonParams<'role_missing'>['role'], string>> = {
  viewer: t`You need the viewer role for this.`,
  operator: t`You need the operator role for this.`,
  manager: t`You need the manager role for this.`,
  admin: t`You need the administrator role for this.`,
};

/** What an organization can have only a limited number of. */
const limitTexts: Readonly<Record<Limited, (n: string) => string>> = {
  'API keys': (n) => t`Your organization has reached its limit of ${n} API keys.`,
  'antennas with settings': (n) => t`Your organization has reached its limit of ${n} antennas with settings.`,
  'email domains': (n) => t`Your organization has reached its limit of ${n} email domains.`,
  endpoints: (n) => t`Your organization has reached its limit of ${n} webhooks.`,
  images: (n) => t`Your organization has reached its limit of ${n} images.`,
  'kinds of assets': (n) => t`Your organization has reached its limit of ${n} kinds of assets.`,
  'open invitations': (n) => t`Your organization has reached its limit of ${n} open invitations.`,
  readers: (n) => t`Your organization has reached its limit of ${n} readers.`,
  rules: (n) => t`Your organization has reached its limit of ${n} alert rules.`,
  'scheduled emails': (n) => t`Your organization has reached its limit of ${n} scheduled emails.`,
};

/** What can be created and removed only a limited number of times. */
const churnTexts: Readonly<Partial<Record<Limited, string>>> = {
  'API keys': t`Too many API keys were created and revoked recently. Try again later.`,
  'open invitations': t`Too many invitations were created recently. Try again later.`,
  readers: t`Too many readers were created and deleted recently. Try again later.`,
};

type Text<Name extends ReasonName> =
  undefined extends ReasonParams<Name> ? string : (params: ReasonParams<Name>, subject: string) => string;

const texts: { readonly [Name in ReasonName]: Text<Name> } = {
  token_invalid: t`Your session has ended. Sign in again.`,
  session_required: t`Your session has ended. Sign in again.`,
  credentials_wrong: t`The email address or the password is incorrect.`,
  role_missing: ({ role }) => roleTexts[role],
  scope_missing: () => t`Your role does not allow this.`,
  changes_hidden: t`Your role does not allow you to see these changes.`,
  not_found: ({ what }) => notFoundTexts[what],
  tag_not_attached: () => t`Tag not found`,
  busy: ({ seconds }) => retryText(seconds),
  retry_later: ({ seconds }) => retryText(seconds),
  key_taken: () => t`This key is already in use`,
  tag_taken: ({ value }) => t`Tag ${value} is already attached to another asset or location`,
  too_many_tags: ({ max }) => t`No more than ${max} tags can be attached. Detach one first`,
  location_in_itself: (_, subject) => cycleText(subject),
  location_in_descendant: (_, subject) => cycleText(subject),
  too_many_levels: ({ max }) => t`Locations can be nested at most ${max} levels deep.`,
  location_has_locations: t`Move or delete its sublocations first.`,
  location_has_assets: t`Move its assets to another location or delete them first.`,
  limit_reached: ({ max, what }) => limitTexts[what](numberText(max)),
  too_many_created: ({ what }) => churnTexts[what] ?? t`Too many were created and removed recently. Try again later.`,
  too_many_photos: ({ max }) => t`An asset can have at most ${max} photos.`,
  too_many_problems: ({ max }) => t`This asset has ${max} open problems. Resolve one first.`,
  images_too_large: ({ max }) =>
    t`The images of your organization can take at most ${numberText(max)} MiB. Remove some first.`,
  too_many_shared_views: ({ max }) => t`Your organization can share at most ${max} views`,
  too_many_own_views: ({ max }) => t`You can save at most ${max} views`,
  too_many_own_emails: ({ max }) => t`You can have at most ${max} scheduled emails. Delete one first.`,
  email_just_sent: t`This email was just sent. Wait a minute before you send it again.`,
  view_name_taken: t`A view with this name already exists`,
  kind_name_taken: t`A kind with this name already exists`,
  kind_changed: t`Somebody else changed this kind. Load it again.`,
  kind_in_use: t`Assets have this kind. Give them another kind first.`,
  plan_changed: t`Somebody else changed the floor plan. Load it again.`,
  undo_gone: t`This change can no longer be undone.`,
  undone_already: t`This change was already undone.`,
  change_gone: t`This change is no longer in the list of changes.`,
  change_not_restorable: t`This change can’t be restored.`,
  changed_meanwhile: t`Somebody else is changing this. Try again.`,
  delivery_pending: t`This delivery is already pending.`,
  endpoint_disabled: t`This webhook is disabled. Enable it first.`,
  import_complete: t`This import accepts no more rows.`,
  import_chunk_out_of_order: () => generalText,
  import_too_large: ({ bytes }) => t`A file can have at most ${numberText(bytes)} bytes. Split it into several files.`,
  import_applied: t`This import was already applied.`,
  import_canceled: t`This import was canceled.`,
  import_running: t`This import is already being processed.`,
  import_incomplete: t`The file is not completely uploaded yet.`,
  import_unchecked: t`Check the file before you apply it.`,
  import_has_warnings: t`The file has warnings. Look at them, and confirm that you want to apply it.`,
  import_has_problems: t`The file has problems. Correct them and choose it again.`,
  import_outdated: t`Something changed after the check, so nothing was applied. See the lines below, then check again.`,
  import_interrupted: t`The server was interrupted. Nothing was changed. Start this step again.`,
  import_failed: t`Something went wrong. Nothing was changed. Start this step again.`,
  other_import_running: t`Another import of your organization is in progress. Wait until it has ended.`,
  too_many_imports: ({ max }) =>
    t`Your organization can start at most ${numberText(max)} imports in 24 hours. Try again later.`,
  not_empty: t`Your organization has assets already. Sample data is for empty organizations.`,
  sign_up_closed: t`New accounts can’t be created here.`,
  no_membership: t`You aren’t a member of any organization. Ask for an invitation.`,
  member_already: t`You are already a member of this organization.`,
  last_administrator: t`An organization needs an administrator. Make another member an administrator first.`,
  too_many_members: t`Your organization has too many members. Contact your administrator.`,
  email_taken: () => t`An account with this email address already exists. Sign in instead`,
  invitation_ended: t`This invitation is no longer valid. Ask for a new link.`,
  link_used: t`This link is no longer valid. Request a new one.`,
  link_of_other_browser: t`This link has expired, or you asked for it in another browser.`,
  email_not_configured: t`This server can’t send emails. Ask an administrator.`,
  email_not_sent: () => t`The email couldn’t be sent. Try again later.`,
  password_needed: t`Choose a password first, so that you can still sign in.`,
  domain_added: t`Your organization already has this domain.`,
  domain_of_others: t`Another organization has verified this domain. Contact the operator of this server.`,
  domain_record_missing: t`The DNS record was not found. A new record can take up to an hour to appear.`,
  domain_unreadable: () => t`The DNS records of the domain couldn’t be read. Try again in a moment.`,
  sign_on_not_configured: t`Single sign-on isn’t set up on this server.`,
  sign_on_needs_cookies: t`Single sign-on needs cookies. Allow them in your browser.`,
  sign_on_over: t`This sign-in has expired, or it was started in another browser. Start again.`,
  sign_on_unproven: t`The identity provider didn’t confirm who you are. Try again.`,
  sign_on_denied: t`You canceled the sign-in, or the identity provider doesn’t allow you to use this service.`,
  sign_on_refused: t`The identity provider rejected the sign-in. Try again, or contact your administrator.`,
  sign_on_without_email: t`The identity provider sent no email address for you. Contact your administrator.`,
  sign_on_without_verification: t`The identity provider doesn’t say whether your email address is verified. Contact your administrator.`,
  sign_on_issuer_differs: t`The identity provider has another issuer than the settings of this server. Contact your administrator.`,
  sign_on_email_unverified: t`Your email address isn’t verified at the identity provider. Verify it there, and try again.`,
  sign_on_of_another_person: t`The account with your email address is connected to another person at the identity provider. Contact your administrator.`,
  sign_on_without_account: ({ email }) =>
    t`No account has the address ${email}. Ask an administrator of your organization for an invitation.`,
  sign_on_connected: t`This single sign-on is already connected to an account.`,
  sign_on_address_differs: t`The identity provider doesn’t confirm the email address of your account.`,
  provider_unreachable: () =>
    t`The identity provider can’t be reached. Try again in a moment, or sign in with your password.`,
};

function retryText(seconds: number): string {
  return plural(seconds, { one: `Try again in ${seconds} second.`, other: `Try again in ${seconds} seconds.` });
}

function cycleText(subject: string): string {
  return t`${subject} can’t be moved into its own sublocation`;
}

/**
 * Returns the text for a person whose request was refused. Without a reason, the text is that it can be tried again.
 *
 * @param subject what the person is changing, such as the name of a location, for sentences that begin with it
 */
export function reasonText(reason: Reason | undefined, subject = t`This location`): string {
  if (!reason) return generalText;
  const text: string | ((given: never, subject: string) => string) = texts[reason.name];
  return typeof text === 'string' ? text : text(reason.params as never, subject);
}
