import { expect, test } from 'vitest';
import { anonymousBounds } from '../../gateway/http-body.js';
import { usualTimeouts } from '../../gateway/index.js';
import { openConditionsMax } from '../../server/notifying/alert-rules/conditions.js';
import { rulesMax } from '../../server/notifying/alert-rules/schemas.js';
import { waitingEmailsMax } from '../../server/notifying/alerts/alert-email-queries.js';
import { apiKeyQuota } from '../../server/people/api-keys/queries.js';
import { auditItemsKeptMax, auditsKeptMax } from '../../server/tracking/audits/save-queries.js';
import { contentsMax, levelsMax } from '../../server/kernel/database/containers.js';
import { carriedMax } from '../../server/tracking/scans/contents-queries.js';
import { photosMax } from '../../server/things/assets/photos.js';
import { assetsPerEditMax, detailBytesPerEditMax } from '../../server/app/bulk-edits/schemas.js';
import { domainMembersMax, emailDomainsMax } from '../../server/people/email-domains/queries.js';
import { importsPerDayMax, waitingImportsMax } from '../../server/app/imports/queries.js';
import { importBytesMax, importRowsMax } from '../../server/app/imports/schemas.js';
import { invitationQuota } from '../../server/people/members/invitation-queries.js';
import { invitationMailsPerDayMax } from '../../server/people/members/invitations.js';
import { deletedReadersMax } from '../../server/tracking/readers/quota.js';
import { submissionsMax } from '../../server/tracking/scans/forgotten-scans.js';
import { unknownTagsMax } from '../../server/tracking/scans/unknown-cap-queries.js';
import { ownViewsMax, sharedViewsMax } from '../../server/app/saved-views/schemas.js';
import { sessionsPerPersonMax } from '../../server/people/session/queries.js';
import { resetsMax } from '../../server/people/session/throttle.js';
import { readSettings } from '../../server/kernel/settings.js';
import { backlogBytesMax, backlogMax } from '../../server/notifying/webhooks/backlog.js';
import { requestsPerOrganizationMax } from '../../server/notifying/webhooks/request-limiter.js';
import { logBytesMax } from '../../server/notifying/webhooks/retention.js';
import { endpointsMax } from '../../server/notifying/webhooks/schemas.js';
import { readProjectFile, sectionOf, tableRowsOf } from './markdown.js';

const page = readProjectFile('docs', 'limits.md');
const settings = readSettings({});

const documented = new Map(
  ['What an organization can have', 'What is kept', 'Requests'].flatMap((heading) =>
    tableRowsOf(sectionOf(page, heading)).map(([limit = '', number = '']) => [limit, number] as const),
  ),
);

/** The number of a row whose limit begins so. */
function numberOf(beginning: string): number {
  const [, text = ''] = [...documented].find(([limit]) => limit.startsWith(beginning)) ?? [];
  return Number(/[\d,]+(?=\)?$)/.exec(text)?.[0].replaceAll(',', ''));
}

test.each([
  ['readers', settings.readersPerOrganization],
  ['deleted readers', deletedReadersMax],
  ['API keys in use', apiKeyQuota.liveMax],
  ['API keys that are revoked', apiKeyQuota.pastMax],
  ['open invitations', invitationQuota.liveMax],
  ['invitations that are over', invitationQuota.pastMax],
  ['invitations sent by email', invitationMailsPerDayMax],
  ['email domains', emailDomainsMax],
  ['members, for people', domainMembersMax],
  ['imports begun', importsPerDayMax],
  ['imports that wait', waitingImportsMax],
  ['rows of an import', importRowsMax],
  ['cells of an import', importBytesMax],
  ['views of the list', ownViewsMax],
  ['views that an organization shares', sharedViewsMax],
  ['assets directly in one container', contentsMax],
  ['containers that an asset is in', levelsMax],
  ['contents of an organization, at all levels', carriedMax],
  ['photos of an asset', photosMax],
  ['assets of one bulk edit', assetsPerEditMax],
  ['custom details of the assets of one', detailBytesPerEditMax],
  ['alert rules', rulesMax],
  ['webhook endpoints', endpointsMax],
  ['webhook deliveries that wait', backlogMax],
  ['bodies of the webhook deliveries', backlogBytesMax],
  ['bodies and answers of the webhook deliveries', logBytesMax],
  ['requests to webhook endpoints', requestsPerOrganizationMax],
  ['alerts that wait to be sent', waitingEmailsMax],
  ['open conditions', openConditionsMax],
  ['unknown tags', unknownTagsMax],
  ['handheld submissions', submissionsMax],
  ['saved audits of an organization', auditsKeptMax],
  ['items of the saved audits', auditItemsKeptMax],
  ['sessions of a person', sessionsPerPersonMax],
  ['requests of an API key', settings.rateLimit.requests],
  ['links to choose another password or to confirm an address, by', resetsMax.email],
  ['links to choose another password or to confirm an address, asked', resetsMax.network],
  ['body of a request, in bytes', settings.bodyBytesMax],
  ['body of a request without a credential', anonymousBounds(settings.bodyBytesMax).bytesMax],
  ['HTTP connections of an address', settings.httpConnectionsPerAddress],
  ['time for the headers', usualTimeouts.headersMs / 1000],
  ['time for a whole request', usualTimeouts.requestMs / 1000],
])('docs/limits.md has the limit of the service: %s', (limit, value) => {
  expect(numberOf(limit)).toBe(value);
});
