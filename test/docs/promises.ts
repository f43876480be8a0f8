/** The beginning of a promise as the page has it, the file below `test/` of the test that holds it, and the name of that test. */
export type HeldPromise = readonly [beginning: string, file: string, test: string];

const answers = 'regression/answers-are-bounded.test.ts';
const audits = 'server/tracking/audits/audits.test.ts';
const backup = 'slow/backup.test.ts';
const bodies = 'gateway/rest/bodies.test.ts';
const calls = 'regression/trpc-calls-spend-a-budget.test.ts';
const clock = 'regression/clock-that-was-ahead.test.ts';
const compose = 'docs/compose.test.ts';
const containers = 'server/tracking/containers/containers.test.ts';
const deadline = 'server/kernel/deadline.test.ts';
const early = 'regression/requests-decided-by-their-head.test.ts';
const edits = 'server/app/bulk-edits/bulk-edits.test.ts';
const emailDomains = 'server/people/sign-on/email-domains.test.ts';
const encoder = 'server/things/images/encoder.test.ts';
const failover = 'slow/failover.test.ts';
const underWay = 'regression/requests-of-one-organization.test.ts';
const fairQueue = 'server/kernel/database/fair-queue.test.ts';
const fatal = 'regression/fatal-ends-give-reasons.test.ts';
const files = 'gateway/files.test.ts';
const floorPlans = 'server/tracking/floor-plans/floor-plans.test.ts';
const frozen = 'slow/frozen-database.test.ts';
const isolation = 'server/notifying/webhooks/isolation.test.ts';
const killedBackups = 'regression/killed-backups-leave-nothing.test.ts';
const liveStreams = 'server/tracking/scans/live-streams.test.ts';
const log = 'server/kernel/log.test.ts';
const logSize = 'server/notifying/webhooks/log-size.test.ts';
const metrics = 'docs/deployment.test.ts';
const owners = 'regression/accounts-taken-before-their-owners.test.ts';
const partitions = 'server/kernel/database/partitions.test.ts';
const passwordReset = 'server/people/session/password-reset.test.ts';
const passwords = 'server/people/auth/passwords.test.ts';
const paused = 'slow/restored-database-sends-nothing.test.ts';
const probes = 'gateway/probes.test.ts';
const problems = 'server/things/asset-problems/problems.test.ts';
const push = 'server/notifying/push/push.test.ts';
const quotas = 'server/quotas.test.ts';
const rateLimits = 'gateway/rest/rate-limits.test.ts';
const receivers = 'regression/receivers-without-an-answer.test.ts';
const requestLimiter = 'server/notifying/webhooks/request-limiter.test.ts';
const rolling = 'slow/rolling-upgrade.test.ts';
const scheduledEmails = 'server/app/scheduled-emails/scheduled-emails.test.ts';
const secrets = 'regression/lost-secrets-of-the-data-folder.test.ts';
const stalled = 'regression/stalled-anonymous-bodies.test.ts';
const tampered = 'slow/tampered-backups.test.ts';
const telemetry = 'ingest-broker/telemetry.test.ts';
const timeouts = 'gateway/request-timeouts.test.ts';
const trpcBodies = 'regression/bodies-of-trpc.test.ts';
const unknownCap = 'server/tracking/scans/unknown-cap.test.ts';
const unread = 'regression/answers-that-are-not-read.test.ts';
const earlierMemberships = 'server/people/session/earlier-memberships.test.ts';
const unproven = 'server/people/mail/unproven-addresses.test.ts';
const uploads = 'server/app/imports/uploads.test.ts';
const exposed = 'alert rules and the dashboard use metrics that the service exposes';

/** The tests that hold the promises of these pages. A paragraph, an item or a row that is new needs a test here. */
export const promises: Record<string, readonly HeldPromise[]> = {
  'SECURITY.md': [
    ['**Organizations are separate.**', 'gateway/rest/common-trials.test.ts', 'are run on every operation that the'],
    ['Passwords are stored as argon2id', passwords, 'are hashed with argon2id'],
    ['Passwords are stored as argon2id', 'server/people/session/sign-in.test.ts', 'stops an address, and guesses'],
    ['A browser keeps its refresh token', 'browser/session.test.ts', 'signing in leads to where one wanted to go,'],
    ['A browser keeps its refresh token', 'server/people/session/refresh.test.ts', 'ends the session when a used'],
    ['API keys and session tokens are signed', 'server/people/auth/tokens.test.ts', 'rejects every token with one'],
    ['API keys and session tokens are signed', 'server/people/auth/identity.test.ts', 'revoked by another process'],
    ['[Single sign-on]', 'server/people/sign-on/answers.test.ts', 'asks for a code with PKCE, state and nonce'],
    ['[Single sign-on]', emailDomains, 'gives nothing before it is verified by the record'],
    ['Nobody profits from making', owners, 'a reset link'],
    ['Nobody profits from making', owners, 'a person who knows the password keeps everything'],
    ['Nobody profits from making', earlierMemberships, 'an organization that is kept is like any other'],
    ['Mail goes only to proven addresses', unproven, 'an alert waits until its recipient has proven the address'],
    ['Mail goes only to proven addresses', unproven, 'changes of credentials are mailed only to a proven address'],
    ['An account is connected to single', owners, 'is connected by the password and a mail to the address'],
    ['A changed password, a connected', owners, 'each change of a credential is mailed to the person'],
    ['Email addresses have one form.', 'regression/links-in-names.test.ts', 'other names are mailed as they are'],
    ['When a member is removed', 'server/people/api-keys/keys-of-member.test.ts', 'are revoked with the member,'],
    ['Each reader has its own MQTT login', 'ingest-broker/publish.test.ts', 'are the reader’s own and the one'],
    ['A device gets alerts as notifications', push, 'a device gets nothing more when its session ends'],
    ['A device gets alerts as notifications', push, 'an alert comes to each device of the people'],
    ['Emails of views and reports', scheduledEmails, 'a person has their own emails, and none after leaving'],
    ['Emails of views and reports', scheduledEmails, 'the link of an email stops it without signing in'],
    ['Secrets are shown once', log, 'secrets are not written, at the top or one level'],
    ['Secrets are shown once', 'server/tracking/readers/create.test.ts', 'answers with the password, once, and stores'],
    ['Requests, calls of a `/trpc` batch', calls, 'counts once more for each 64 KiB'],
    ['Requests, calls of a `/trpc` batch', rateLimits, 'is limited to ten times its size for all keys'],
    ['Calls in one batch', calls, 'of more than 20 calls is rejected'],
    ['HTTP connections', 'server/kernel/client-networks.test.ts', 'the networks around an IPv6 address are bounded'],
    ['Headers of a request', timeouts, 'headers have 10 seconds and a whole request has two minutes'],
    ['Body without a credential', stalled, 'is not awaited on the public API'],
    ['Body with a credential', stalled, 'the bodies of one organization in memory are limited'],
    ['Answer |', unread, 'a connection ends whose client does not read its answer'],
    ['Request to a webhook endpoint', receivers, 'an attempt ends, and is logged, whatever the receiver does'],
    ['Request to a webhook endpoint', requestLimiter, 'ten endpoints share 32 requests'],
    ['Mail, request to the identity', deadline, 'an exchange that never ends is aborted at its deadline'],
    ['Mail, request to the identity', 'regression/exchanges-without-an-end.test.ts', 'a mail server that never ends'],
    ['Request while the database', frozen, 'while the database is frozen, requests get 503'],
    ['JSON in bodies, in addresses', trpcBodies, 'has 200 levels at most'],
    ['JSON in bodies, in addresses', trpcBodies, 'so has the input in an address'],
    ['JSON in bodies, in addresses', 'server/app/imports/assets.test.ts', 'reports the errors of each line'],
    ['JSON in bodies, in addresses', 'regression/expensive-messages-of-readers.test.ts', 'is read up to 200 levels'],
    ['Values in the log', 'regression/log-lines-have-bounds.test.ts', 'a value that a client chose is truncated'],
    ['A body above 16 KiB', 'regression/bursts-of-large-bodies.test.ts', 'nothing of a large body is read before'],
    ['A body above 16 KiB', trpcBodies, 'the media type of a body on /trpc'],
    ['**A backup runs nothing.**', tampered, 'a changed manifest is never executed as SQL'],
    ['**A backup runs nothing.**', paused, 'a restored database sends no mail and no webhook'],
    ['**The app**', 'browser/safety.test.ts', 'a script that somebody gets into a page does not run'],
    ['**The app**', 'browser/sign-out.test.ts', 'no names stay on the device'],
    ['**The app**', 'browser/export.test.ts', 'runs in no spreadsheet'],
  ],
  'docs/limits.md': [
    ['The database counts under a lock', quotas, 'are limited, also when several are created at once'],
    ['readers |', quotas, 'are limited, also when several are created at once'],
    ['deleted readers', quotas, 'are limited with deleted ones'],
    ['antennas of a reader', quotas, 'a reader has settings of 256 antennas at most'],
    ['antennas of all readers', 'regression/settings-of-very-many-antennas.test.ts', 'is limited for all readers'],
    ['API keys in use', quotas, 'an organization has 1000 API keys in use at most'],
    ['API keys that are revoked', quotas, 'API keys are limited with revoked ones'],
    ['open invitations', quotas, 'an organization has 1000 open invitations at most'],
    ['invitations that are over', 'server/people/members/invitations.test.ts', 'old invitations go in the end'],
    ['invitations sent by email', 'server/people/members/invitation-emails.test.ts', 'an organization mails at most'],
    ['email domains', emailDomains, 'is listed with its record, changed, logged, and bounded'],
    ['members, for people', emailDomains, 'adds nobody to an organization with the maximum'],
    ['imports begun', quotas, '500 imports can be begun in 24 hours'],
    ['imports that wait', uploads, 'a sixth waiting import removes the first'],
    ['rows of an import', uploads, 'a file has 100,000 rows and 64 MiB of cells'],
    ['locations that an import creates', 'server/app/imports/files-of-people.test.ts', 'creates at most 1,000'],
    ['cells of an import', uploads, 'a file has 100,000 rows and 64 MiB of cells'],
    ['views of the list of assets', 'server/app/saved-views/saved-views.test.ts', 'allows fifty for each user'],
    ['scheduled emails of one person', scheduledEmails, 'a person has 20 scheduled emails'],
    ['scheduled emails of an organization |', scheduledEmails, 'a person has 20 scheduled emails'],
    ['scheduled emails of an organization that are due', scheduledEmails, 'a person has 20 scheduled emails'],
    ['the file of a scheduled email', scheduledEmails, 'a file that is too large is not attached'],
    ['kinds of assets of an organization', 'server/things/asset-kinds/kinds.test.ts', 'are at most 200'],
    ['views that an organization', quotas, 'an organization has $max $noun at most'],
    ['photos of an asset', 'server/things/assets/photos.test.ts', 'are ten of one asset at most, also when they come'],
    ['open problems of an asset', problems, 'are twenty open ones of an asset at most, also when they come at once'],
    ['assets directly in one container', containers, 'holds at most 1,000 assets'],
    ['containers that an asset is in', containers, 'moves what is in a container in a container'],
    [
      'contents of an organization, at all levels',
      'regression/one-read-of-many-contents.test.ts',
      'moves at most 5,000 contents',
    ],
    ['assets of one bulk edit', edits, 'rejects what is no change, or more than can be kept'],
    ['custom details that one bulk', 'regression/very-many-details-in-a-bulk-edit.test.ts', 'sets at most fifty'],
    ['custom details of an asset, in bytes', 'gateway/rest/fields.test.ts', 'is at most 16 KiB of compact JSON'],
    ['tags of an asset', 'gateway/rest/tags.test.ts', 'are limited to 100, even when several are attached'],
    ['custom details of the assets of one', edits, 'rejects what is no change, or more than can be kept'],
    ['custom details of an asset that lists', 'server/things/assets/details.test.ts', 'finds assets by details as'],
    ['alert rules', quotas, 'an organization has $max $noun at most'],
    ['webhook endpoints', quotas, 'an organization has $max $noun at most'],
    ['webhook deliveries that wait', isolation, 'the backlog of an organization is bounded, shown'],
    ['bodies of the webhook deliveries that wait', isolation, 'the backlog of an organization is limited in bytes'],
    ['requests to webhook endpoints', requestLimiter, 'endpoints that replace deleted ones'],
    ['devices of one person', push, 'a person has at most ten devices'],
    [
      'alerts that wait to be sent',
      'server/notifying/alerts/emails.test.ts',
      'of the alerts that wait to be mailed to a person',
    ],
    ['open conditions', 'server/notifying/alert-rules/timed-rules.test.ts', 'a rule has a thousand open conditions'],
    ['images (floor plans', files, 'needs room: an organization has a number of images'],
    ['images, in bytes', files, 'needs room: an organization has a number of images'],
    ['images that are processed', encoder, 'accepts three images of an organization at once'],
    ['outlines and pins', floorPlans, 'are 1,000 at most, and an outline has 100 points'],
    ['points of an outline', floorPlans, 'are 1,000 at most, and an outline has 100 points'],
    ['levels of locations', 'gateway/rest/tree-depth.test.ts', 'a location can be created on level 64'],
    ['live connections of a person', liveStreams, 'is one of at most twenty of a person'],
    ['live connections of an organization', liveStreams, 'is one of at most 500 of an organization'],
    ['updates that wait for a live', 'server/tracking/live/position-feed.test.ts', 'has one resync waiting once'],
    ['The oldest rows are deleted', quotas, 'the oldest submissions of an organization go'],
    ['scan events', partitions, 'are dropped when nothing in them can be within'],
    ['unknown tags of an organization', unknownCap, 'above the cap lose the values read once first'],
    ['handheld submissions', quotas, 'the oldest submissions of an organization go'],
    ['rejected messages of a reader', quotas, 'the newest rejected messages of an organization are kept'],
    ['rejected messages of an organization', quotas, 'the newest rejected messages of an organization are kept'],
    ['payloads of the rejected', quotas, 'the newest rejected messages of an organization are kept'],
    ['deleted webhook endpoints', 'server/notifying/webhooks/restore.test.ts', 'is not restored beyond ten webhooks'],
    ['deleted alert rules', 'server/notifying/alert-rules/restore.test.ts', 'the newest fifty deleted rules are kept'],
    ['deleted views', 'server/app/saved-views/saved-views.test.ts', 'keeps the newest fifty deleted views'],
    ['photos of deleted assets', 'server/app/trash/trash.test.ts', 'keeps what was deleted for 30 days'],
    ['resolved problems of an asset, and problems of deleted assets', problems, 'come back with a deleted asset,'],
    ['images that nothing refers to', files, 'that nothing refers to is deleted after an hour'],
    ['sessions of a person', quotas, 'a sign-in beyond the limit ends the oldest session'],
    ['alerts of an organization', quotas, 'alerts are kept for 90 days, and 50,000 of an organization'],
    ['saved audits', audits, 'are deleted, the oldest first, beyond what an organization'],
    ['items of the saved audits', audits, 'are deleted, the oldest first, beyond what an'],
    ['webhook deliveries of an endpoint', 'server/notifying/webhooks/retries.test.ts', 'deliveries are kept for 30'],
    ['values of an hour of a tag', telemetry, 'a RuuviTag shows its last values, each with its time, and keeps one'],
    ['values of an hour of a tag', telemetry, 'values of hours are deleted after 30 days'],
    ['bodies and answers of the webhook', logSize, 'when the logs of an organization exceed 1 GiB'],
    ['activity log', partitions, 'are dropped when nothing in them can be within'],
    ['Unknown tags and submissions are counted', unknownCap, 'are checked again after a number of them'],
    ['Unknown tags and submissions are counted', 'server/tracking/scans/rejection-budget.test.ts', 'does the same'],
    ['requests of an API key', rateLimits, 'counts down in the headers, and is full again'],
    ['requests of all API keys', rateLimits, 'is limited to ten times its size for all keys'],
    ['links to choose another password or to confirm an address, by', passwordReset, 'and requests are limited'],
    ['links to choose another password or to confirm an address, asked', passwordReset, 'a network can ask for 100'],
    ['mails about changes of an account', owners, 'an account gets ten mails about changes in 15 minutes'],
    ['calls in one batch', calls, 'of more than 20 calls is rejected'],
    [
      'rejections of unauthenticated',
      'gateway/rejection-delay.test.ts',
      'a limited number wait; the next is sent at once',
    ],
    ['passwords that are checked', passwords, 'wait in bounded number; further ones are rejected'],
    ['passwords of people on devices', passwords, 'on known devices do not wait behind others'],
    ['body of a request, in bytes', bodies, 'is at most 1 MiB'],
    ['body of an uploaded image', files, 'can have ten megabytes'],
    ['pixels of an uploaded image', files, 'one that unpacks to too many pixels is rejected'],
    [
      'processor time to decode an uploaded image',
      'regression/images-that-take-long-to-decode.test.ts',
      'an image that takes too long is refused',
    ],
    ['images that wait to be processed', encoder, 'no more in a process than its memory allows'],
    ['body of a request without', stalled, 'is at most 16 KiB on /trpc'],
    ['bodies of one organization', stalled, 'the bodies of one organization in memory are limited'],
    ['uploaded images of one organization', files, 'can have ten megabytes'],
    ['levels of arrays and objects', bodies, 'is rejected if it is nested more than 200 levels'],
    ['what a client sends after', early, 'a request that is answered before its body has arrived'],
    ['time from a connection', 'regression/requests-that-a-busy-process-reads-late.test.ts', 'is closed without'],
    ['time for the headers', timeouts, 'headers have 10 seconds and a whole request has two minutes'],
    ['time for a whole request', timeouts, 'headers have 10 seconds and a whole request has two minutes'],
    ['time for a body without', stalled, 'has 30 seconds to arrive'],
    ['time without progress', unread, 'a client has 30 seconds to read something'],
    ['time without a request', 'regression/idle-connections.test.ts', 'a connection that its client leaves open after'],
    ['answers of one organization', answers, 'answers that are not read take a bounded memory'],
    ['result of a call', answers, 'a call of the app can return 16 MiB'],
    ['results of several calls', answers, 'several calls of a request 2 MiB together'],
    ['custom details and tags in a page', answers, 'an export ends its pages early'],
    ['requests of one connection', underWay, 'requests of one connection are handled one after the other'],
    ['requests of an organization that are handled', underWay, 'an organization has a limited number of requests'],
    ['entries of `error.fields`', 'regression/count-of-validation-errors.test.ts', 'the first thousand of them are'],
    ['HTTP connections of an address', stalled, 'the connections of an address are limited'],
    ['requests of an organization that wait', fairQueue, 'more than 200 waiting calls'],
    ['time that a request waits', fairQueue, 'a call that cannot start within four seconds is rejected'],
    ['Networks take turns', passwords, 'of one network neither delay nor displace attempts of another network'],
  ],
  'docs/operations.md': [
    ['The base image and the images', compose, 'images of others are pinned by digest'],
    ['New connections use the new', 'ingest-broker/listener.test.ts', 'reads its certificate again for new'],
    ['A backup holds every row', backup, 'a backup restores into an empty database, row for row'],
    ['A backup that is stopped', killedBackups, 'a backup that is stopped leaves no file'],
    ['With `BACKUP_KEY` each backup', tampered, 'with BACKUP_KEY only a backup that is signed with it'],
    ['The command reads the settings of the service', backup, 'the embedded database is backed up while it runs'],
    ['The file is a gzipped tar', backup, 'a backup that was truncated or changed leaves nothing behind'],
    ['Only into an empty database', backup, 'mistakes are reported with a line that explains what to do'],
    ['The restore creates the tables', backup, 'a backup that was truncated or changed leaves nothing behind'],
    ['**A restored database sends nothing.**', paused, 'a restored database sends no mail and no webhook'],
    ['A copy that was made by other means', paused, 'a copy that was not made by a restore is paused by a command'],
    ['With a server of your own', backup, 'a restore with another AUTH_SECRET is rejected'],
    ['A backup and a restore also move', 'slow/upgrade-database.test.ts', 'and one command upgrades it'],
    ['`DATA_DIR` holds two secrets', secrets, 'is reported, and not replaced'],
    ['`auth-secret` signs', secrets, 'is reported, and not replaced'],
    ['`postgres-password` opens', secrets, 'the documented commands give the data another password'],
    ['With `SMTP_URL` people request', passwordReset, 'without email there is no reset'],
    ['The link works once', passwordReset, 'a link ends after an hour, and with a newer one'],
    ['The link works once', owners, 'an operator gives the account to its owner without email'],
    ['The address of an account is proven', owners, 'the address is confirmed by the password and a link'],
    ['After an upgrade from a release', owners, 'an operator gives the account to its owner without email'],
    ['An address that an earlier release', 'server/people/session/email-address.test.ts', 'x@example.com>'],
    ['`npm run admin` lists', 'regression/commands-act-on-the-database-of-the-service.test.ts', 'and says so'],
    [
      '1. the environment of the command',
      'regression/commands-act-on-the-database-of-the-service.test.ts',
      '--env-file names the settings of the service',
    ],
    [
      '1. the environment of the command',
      'regression/commands-act-on-the-database-of-the-service.test.ts',
      'a command acts on the database of the unit',
    ],
    [
      'A command never creates',
      'regression/commands-act-on-the-database-of-the-service.test.ts',
      '%s makes no database where there is none',
    ],
    ['[alerts.yml]', 'docs/prometheus.test.ts', 'what the alert rules say of $what'],
    ['`GET /healthz`', probes, 'healthz reports that the process answers'],
    ['`GET /servez`', probes, 'servez is 200 although a check fails'],
    ['`GET /readyz`', probes, 'readyz is 503 when one does not'],
    ['`GET /readyz`', fatal, 'a disk with less than 5 % free space is logged once'],
    ['`GET /metrics`', 'gateway/metrics.test.ts', 'counts answered requests by operation, method and status'],
    ['`/metrics` is on the port', 'gateway/probe-server.test.ts', 'metrics with a port of their own are there alone'],
    ['`/metrics` is on the port', probes, 'metrics with a token are rejected without it'],
    ['`whereabouts_overdue_exchanges`', deadline, 'and counted until it ends'],
    ['`whereabouts_', metrics, exposed],
    ['Logs are JSON lines', log, 'an entry is one JSON line'],
    ['Logs are JSON lines', 'gateway/access-log.test.ts', 'a probe that succeeds is logged for debugging only'],
    ['On SIGTERM and Ctrl-C', 'regression/answers-while-stopping.test.ts', 'get an answer for all that is stored'],
    ['On SIGTERM and Ctrl-C', 'slow/stopping-under-load.test.ts', 'a service that is stopped under load rejects'],
    ['On SIGTERM and Ctrl-C', 'slow/start.test.ts', 'after SIGTERM the service keeps running until the delay ends'],
    ['Each part has its share', frozen, 'and the service can be stopped'],
    ['If the database is frozen', frozen, 'requests work after it resumes'],
    ['Run a time server client', clock, 'a read places an asset that was read while the clock was ahead'],
    ['With several processes behind', rolling, 'gateways are replaced one by one under load, and no request fails'],
    ['1. Start a process', rolling, 'an ingest process is replaced while a reader publishes'],
    ['[deploy/rolling-upgrade.sh]', 'slow/rolling-script.test.ts', 'the script starts each successor before it stops'],
    ['During the upgrade one process more', compose, 'the database has room for the connections of all'],
    ['the disk is full', fatal, 'the end of the embedded database is reported with the reason'],
    ['too few files', fatal, 'a process that may open too few files and connections does not start'],
    ['little memory, below', fatal, 'little memory is logged at the start'],
    ['a lost secret', secrets, 'is reported, and not replaced'],
    ['a missing or damaged backup', killedBackups, 'a missing backup is reported by its name'],
    ['Docker Compose starts a container', 'slow/durability-kill.test.ts', 'keeps every acknowledged read exactly once'],
    ['Then a failover needs no action.', failover, 'when the primary fails, the standby continues with all'],
    ['PostgreSQL reports a commit', failover, 'a read is not acknowledged while the standby lacks it'],
    ['A test runs two PostgreSQL', failover, 'when the primary fails, the standby continues with all'],
    ['Gateways count requests in Redis.', 'gateway/shared-rate-limit.test.ts', 'each process counts for itself,'],
  ],
};

/** Sections and statements that instruct, or introduce others. */
export const withoutPromises = {
  sections: ['Report a vulnerability', 'What an operator has to do', 'Ways to run it', 'Single sign-on'],
  statements: [
    '**Credentials.**',
    '**One caller cannot',
    'Limits keep one',
    'Tasks of an operator.',
    '`docker build .`',
    '[deploy/verify.sh]',
    'After the files of `MQTT_TLS',
    'Kubernetes updates the files',
    'Anybody who can change a backup',
    'With Docker Compose:',
    'The second command',
    'A backup reads all rows once.',
    'With the profile `scale` the last',
    'Try a restore',
    'Set alerts on these',
    'The first seven are',
    'The last line of the log',
    'Every process of the service',
    'the primary waits for it',
    'something decides which',
    '`DATABASE_URL` leads to',
    'Amazon RDS',
    'Google Cloud SQL',
    'Azure Database',
    'others |',
    'Where nothing ends connections',
    'If the replica is lost',
  ],
};
