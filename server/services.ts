import type { Identity } from './auth/identity.js';
import type { SessionWatch } from './auth/session-watch.js';
import type { Database } from './database/client.js';
import type { PageAnchors } from './database/page-anchors.js';
import type { EventInterests } from './events/interests.js';
import type { HomeFigures } from './home/figures.js';
import type { ImageEncoder } from './images/encoder.js';
import type { ImportRuns } from './imports/runs.js';
import type { LivePositions } from './live/live-positions.js';
import type { Log } from './log.js';
import type { Mailer } from './mail/mailer.js';
import type { KnownBrokerPorts } from './readers/broker-ports.js';
import type { ReadCounters } from './readers/read-counters.js';
import type { ReportStarts } from './reports/page-starts.js';
import type { LocatingKnowledge } from './scans/locating-knowledge.js';
import type { Ingestion } from './scans/ingestion.js';
import type { ScanCaps } from './scans/row-cap.js';
import type { TxtResolver } from './email-domains/txt-records.js';
import type { SignOn } from './sign-on/sign-on.js';
import type { Settings } from './settings.js';

/** The dependencies of procedures, created once at start and passed in. */
export type Services = {
  db: Database;
  settings: Settings;
  log: Log;
  identity: Identity;
  sessionWatch: SessionWatch;
  livePositions: LivePositions;
  importRuns: ImportRuns;
  encodeImage: ImageEncoder;
  pageAnchors: PageAnchors<string>;
  reportStarts: ReportStarts;
  brokerPorts: KnownBrokerPorts;
  homeFigures: HomeFigures;
  readCounters: ReadCounters;
  locating: LocatingKnowledge;
  eventInterests: EventInterests;
  scanCaps: ScanCaps;
  /** For reads that people send from the app. */
  ingestion: Pick<Ingestion, 'ingest'>;
  /** Undefined if email is not configured. */
  mailer: Mailer | undefined;
  /** Undefined where single sign-on is not configured. */
  signOn: SignOn | undefined;
  resolveTxt: TxtResolver;
};
