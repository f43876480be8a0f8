import { plural, t } from '@lingui/core/macro';
import { numberText } from '../ui/quantity.js';

/** Sentences of the service that people read, and the app's own text for each. */
const sentences: Readonly<Record<string, string>> = {
  'Invalid or expired token': t`Your session has ended. Sign in again.`,
  'Session required': t`Your session has ended. Sign in again.`,
  'The email address or the password is wrong': t`The email address or the password is incorrect.`,
  'Sign-up is closed': t`New accounts can’t be created here.`,
  'You are not a member of any organization': t`You aren’t a member of any organization. Ask for an invitation.`,
  'You are not a member of any organization. Ask for an invitation': t`You aren’t a member of any organization. Ask for an invitation.`,
  'You are a member of this organization already': t`You are already a member of this organization.`,
  'This invitation is no longer valid; ask for a new link': t`This invitation is no longer valid. Ask for a new link.`,
  'This link cannot be used any more; request a new one': t`This link is no longer valid. Request a new one.`,
  'Email is not configured on this server; ask an administrator': t`This server can’t send emails. Ask an administrator.`,
  'An organization needs an administrator; make another member one first': t`An organization needs an administrator. Make another member an administrator first.`,
  'Your organization has too many members. Contact your administrator': t`Your organization has too many members. Contact your administrator.`,

  'This sign-in has expired, or it was started in another browser. Start again': t`This sign-in has expired, or it was started in another browser. Start again.`,
  'The identity provider did not confirm who you are. Try again': t`The identity provider didn’t confirm who you are. Try again.`,
  'You canceled the sign-in, or the identity provider does not allow you to use this service': t`You canceled the sign-in, or the identity provider doesn’t allow you to use this service.`,
  'The identity provider refused the sign-in. Try again, or contact your administrator': t`The identity provider rejected the sign-in. Try again, or contact your administrator.`,
  'The identity provider sent no email address for you. Contact your administrator': t`The identity provider sent no email address for you. Contact your administrator.`,
  'Your email address is not verified at the identity provider. Verify it there, and try again': t`Your email address isn’t verified at the identity provider. Verify it there, and try again.`,
  'The account with your email address is connected to another person at the identity provider. Contact your administrator': t`The account with your email address is connected to another person at the identity provider. Contact your administrator.`,
  'This sign-on is connected to an account already': t`This single sign-on is already connected to an account.`,
  'This link has expired, or it was asked for in another browser': t`This link has expired, or you asked for it in another browser.`,
  'The email could not be sent': t`The email couldn’t be sent. Try again later.`,
  'The identity provider does not confirm the address of your account': t`The identity provider doesn’t confirm the email address of your account.`,
  'Set a password first; otherwise you could not sign in': t`Choose a password first, so that you can still sign in.`,
  'Single sign-on needs a browser with cookies': t`Single sign-on needs cookies. Allow them in your browser.`,
  'Single sign-on is not configured on this server': t`Single sign-on isn’t set up on this server.`,
  'Your organization has this domain already': t`Your organization already has this domain.`,
  'The DNS record was not found. A new record can take up to an hour to appear': t`The DNS record was not found. A new record can take up to an hour to appear.`,
  'Another organization has verified this domain. Contact the operator of this server': t`Another organization has verified this domain. Contact the operator of this server.`,

  'This change was undone already': t`This change was already undone.`,
  'This change can no longer be undone': t`This change can no longer be undone.`,
  'This import can no longer be undone': t`This import can no longer be undone.`,
  'This change is no longer kept': t`This change is no longer in the list of changes.`,
  'This change cannot be restored': t`This change can’t be restored.`,
  'Somebody else is changing this; try again': t`Somebody else is changing this. Try again.`,
  'A view with this name already exists': t`A view with this name already exists`,
  'The floor plan was changed by somebody else; load it again': t`Somebody else changed the floor plan. Load it again.`,
  'A reader whose clock is ahead has read this asset; try again in a few seconds': t`A reader whose clock is ahead has read this asset. Try again in a few seconds.`,
  'Your role has no access to these changes': t`Your role does not allow you to see these changes.`,

  'This delivery is pending already': t`This delivery is already pending.`,
  'The endpoint is disabled; enable it first': t`This webhook is disabled. Enable it first.`,

  'This import accepts no more rows': t`This import accepts no more rows.`,
  'This import has been applied already': t`This import was already applied.`,
  'This import was canceled': t`This import was canceled.`,
  'This import is being worked on already': t`This import is already being processed.`,
  'The file is not completely received yet': t`The file is not completely uploaded yet.`,
  'The file must be checked before it is applied': t`Check the file before you apply it.`,
  'The file has problems; correct them and choose it again': t`The file has problems. Correct them and choose it again.`,
  'Another import of this organization is under way; wait until it has ended': t`Another import of your organization is in progress. Wait until it has ended.`,
  'Something changed after the check, so nothing was applied. See the lines below, then check again.': t`Something changed after the check, so nothing was applied. See the lines below, then check again.`,
  'The service was interrupted. Nothing was changed; start this step again.': t`The server was interrupted. Nothing was changed. Start this step again.`,
  'Something went wrong in the service. Nothing was changed; start this step again.': t`Something went wrong. Nothing was changed. Start this step again.`,
};

const notFoundTexts: Readonly<Record<string, string>> = {
  Alert: t`Alert not found`,
  'API key': t`API key not found`,
  Asset: t`Asset not found`,
  Audit: t`Audit not found`,
  'Email domain': t`Domain not found`,
  'Floor plan': t`Floor plan not found`,
  Image: t`Image not found`,
  Import: t`Import not found`,
  Invitation: t`Invitation not found`,
  Location: t`Location not found`,
  Member: t`Member not found`,
  Organization: t`Organization not found`,
  Photo: t`Photo not found`,
  Reader: t`Reader not found`,
  Rule: t`Alert rule not found`,
  Tag: t`Tag not found`,
  View: t`View not found`,
};

const roleTexts: Readonly<Record<string, string>> = {
  viewer: t`You need the viewer role for this.`,
  operator: t`You need the operator role for this.`,
  manager: t`You need the manager role for this.`,
  admin: t`You need the administrator role for this.`,
};

type LimitText = (n: string) => string;

/** What an organization can have so many of, by the noun of the service. */
const limitTexts: Readonly<Record<string, LimitText>> = {
  'API keys': (n) => t`Your organization has reached its limit of ${n} API keys.`,
  'antennas with settings': (n) => t`Your organization has reached its limit of ${n} antennas with settings.`,
  'email domains': (n) => t`Your organization has reached its limit of ${n} email domains.`,
  endpoints: (n) => t`Your organization has reached its limit of ${n} webhooks.`,
  images: (n) => t`Your organization has reached its limit of ${n} images.`,
  'open invitations': (n) => t`Your organization has reached its limit of ${n} open invitations.`,
  readers: (n) => t`Your organization has reached its limit of ${n} readers.`,
  rules: (n) => t`Your organization has reached its limit of ${n} alert rules.`,
};

/** What can be created and removed only so often, by the noun of the service. */
const churnTexts: Readonly<Record<string, string>> = {
  'API keys': t`Too many API keys were created and revoked recently. Try again later.`,
  'open invitations': t`Too many invitations were created recently. Try again later.`,
  readers: t`Too many readers were created and deleted recently. Try again later.`,
};

type Rewrite = readonly [pattern: RegExp, write: (...parts: string[]) => string];

const rewrites: readonly Rewrite[] = [
  [/^Missing required role: (\w+)$/, (role = '') => roleTexts[role] ?? t`Your role does not allow this.`],
  [/^Missing required scope/, () => t`Your role does not allow this.`],
  [/^([A-Z][\w ]+) not found(?: on this (?:asset|location))?$/, (noun = '') => notFoundTexts[noun] ?? t`Not found`],
  [
    /^The identity provider cannot be reached/,
    () => t`The identity provider can’t be reached. Try again in a moment, or sign in with your password.`,
  ],
  [
    /^The DNS records of the domain could not be read/,
    () => t`The DNS records of the domain couldn’t be read. Try again in a moment.`,
  ],
  [
    /^Nobody has an account with the address (.+)\. Ask an administrator/,
    (email = '') =>
      t`No account has the address ${email}. Ask an administrator of your organization for an invitation.`,
  ],
  [
    /^An organization can begin (\d+) imports in 24 hours/,
    (n = '') => t`Your organization can start at most ${whole(n)} imports in 24 hours. Try again later.`,
  ],
  [
    /retry after (\d+) seconds?$/i,
    (seconds = '') =>
      plural(Number(seconds), { one: `Try again in ${seconds} second.`, other: `Try again in ${seconds} seconds.` }),
  ],
  [/^location has descendant locations/, () => t`Move or delete its sublocations first.`],
  [/^location has assets placed at it/, () => t`Move its assets to another location or delete them first.`],
  [/nested (\d+) levels deep$/, (levels = '') => t`Locations can be nested at most ${levels} levels deep.`],
  [
    /^an organization can have (\d+) (.+) at most$/i,
    (n = '', noun = '') => limitTexts[noun]?.(whole(n)) ?? t`Your organization has reached its limit of ${whole(n)}.`,
  ],
  [
    /^Too many (.+) of this organization were created and removed$/,
    (noun = '') => churnTexts[noun] ?? t`Too many were created and removed recently. Try again later.`,
  ],
  [/^An asset can have (\d+) photos at most$/, (n = '') => t`An asset can have at most ${n} photos.`],
  [
    /^The images of an organization can take (\d+) MiB at most$/,
    (n = '') => t`The images of your organization can take at most ${whole(n)} MiB. Remove some first.`,
  ],
  [/^An organization can share (\d+) views at most$/, (n = '') => t`Your organization can share at most ${n} views`],
  [/^A person can have (\d+) views at most$/, (n = '') => t`You can save at most ${n} views`],
  [
    /^A file must be at most (\d+) bytes$/,
    (n = '') => t`A file can have at most ${whole(n)} bytes. Split it into several files.`,
  ],
  [/^An unexpected error occurred$/, () => t`Try again. If it happens again, contact your administrator.`],
];

function whole(digits: string): string {
  return numberText(Number(digits));
}

/** Returns the app's own text for a detail of the service; undefined if it has none. */
export function detailText(detail: string): string | undefined {
  const sentence = sentences[detail];
  if (sentence !== undefined) return sentence;
  for (const [pattern, write] of rewrites) {
    const found = pattern.exec(detail);
    if (found) return write(...found.slice(1));
  }
  return undefined;
}
