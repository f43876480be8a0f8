import type { Identity } from './people/auth/identity.js';
import type { SessionWatch } from './people/auth/session-watch.js';
import type { Database } from './kernel/database/client.js';
import type { PageAnchors } from './kernel/database/page-anchors.js';
import type { EventInterests } from './notifying/events/interests.js';
import type { HomeFigures } from './app/home/figures.js';
import type { ImageEncoder } from './things/images/encoder.js';
import type { ImportRuns } from './app/imports/runs.js';
import type { LivePositions } from './tracking/live/live-positions.js';
import type { Log } from './kernel/log.js';
import type { Mailer } from './people/mail/mailer.js';
import type { KnownBrokerPorts } from './tracking/readers/broker-ports.js';
import type { MappingTrials } from './tracking/readers/mapping-trials.js';
import type { ReadCounters } from './tracking/readers/read-counters.js';
import type { ReportStarts } from './tracking/reports/page-starts.js';
import type { LocatingKnowledge } from './tracking/scans/locating-knowledge.js';
import type { Ingestion } from './tracking/scans/ingestion.js';
import type { ScanCaps } from './tracking/scans/row-cap.js';
import type { TxtResolver } from './people/email-domains/txt-records.js';
import type { SignOn } from './people/sign-on/sign-on.js';
import type { Settings } from './kernel/settings.js';

/** The dependencies of procedures, created once at start and passed in. */
export type Services = {
  db: Database;
  settings: Settings;
  log: Log;
  identity: Identity;
  sessionWatch: SessionWatch;
  livePositions: LivePositions;
  importRuns: ImportRuns;
  encodeImage: ImageEncoder['encode'];
  mappingTrials: Pick<MappingTrials, 'judge' | 'propose'>;
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
