import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { createReader, type Environment, SettingsError } from './setting-reader.js';

export { SettingsError } from './setting-reader.js';

const environments = ['production', 'preview'] as const;
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const roles = ['all', 'gateway', 'ingest-broker'] as const;
const signUpModes = ['first', 'open'] as const;
const mqttOnStopModes = ['stay', 'leave'] as const;
const yesNo = ['true', 'false'] as const;
const clientAuthentications = ['client_secret_basic', 'client_secret_post'] as const;
const authSecretBytesMin = 32;
/** Cells are numbered from 0. */
const cellNumberMax = 31;
const stopDelaySecondsMax = 300;
const mqttPortPlain = 1883;
const mqttPortTls = 8883;
const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];

/** The MQTT broker that readers publish to instead of to the service itself, and this process as a client of it. */
export type ExternalBroker = {
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
  readonly username?: string;
  readonly password?: string;
  /** Unique to this process, and stable across restarts. */
  readonly clientId: string;
  /** The processes that share the messages. */
  readonly group: string;
  /** Whether the broker keeps messages for this process after an orderly stop. */
  readonly onStop: (typeof mqttOnStopModes)[number];
  /** PEM: the authority of the broker's certificate, if it is not a public one. */
  readonly caFile?: string;
};

/** How email is sent. */
export type MailSettings = {
  /** `smtp://` or `smtps://`, with user and password where the server asks for them. */
  readonly smtpUrl: string;
  /** An address, or a name with an address: `Whereabouts <alerts@example.com>`. */
  readonly from: string;
};

/** The OpenID Connect provider that people can sign in with. */
export type SignOnSettings = {
  /** As its discovery document and its tokens name it. */
  readonly issuer: string;
  readonly clientId: string;
  /** Absent for a public client. */
  readonly clientSecret?: string;
  /** How the service presents the secret at the token endpoint (OpenID Connect Core 1.0, 9). */
  readonly clientAuthentication: (typeof clientAuthentications)[number];
  /** What the app calls it: "Sign in with …". */
  readonly name: string;
  /** Whether addresses count as verified where the provider never says whether they are. */
  readonly trustsEmail: boolean;
};

/** The settings, parsed and checked together. `.env.example` describes each one. */
export type Settings = {
  readonly host: string;
  /** 0 lets the system choose a free port; the same applies to the MQTT ports. */
  readonly port: number;
  readonly mqttPort: number;
  readonly mqttPlain: 'on' | 'off';
  readonly mqttTls?: { readonly port: number; readonly certFile: string; readonly keyFile: string };
  /** The port of the health checks in a process without a gateway. */
  readonly probesPort?: number;
  /** The port of `/metrics` where it has one of its own; otherwise it is on the port of the health checks. */
  readonly metricsPort?: number;
  /** The bearer token that `/metrics` requires. */
  readonly metricsToken?: string;
  /** How long the process goes on serving after SIGTERM, while `/readyz` already reports that it stops. */
  readonly stopDelaySeconds: number;
  /** Missing in embedded mode. */
  readonly databaseUrl?: string;
  /** The database of another cell, for the commands that move an organization. */
  readonly targetDatabaseUrl?: string;
  /** Of the ids that this installation generates, where there are several. */
  readonly cellNumber?: number;
  readonly databasePoolSize: number;
  /** An absolute path. */
  readonly dataDir: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Addresses, and networks in CIDR notation. */
  readonly trustedProxies: readonly string[];
  readonly environment: (typeof environments)[number];
  /** Missing in embedded mode unless set: `main.ts` then uses the one stored in `dataDir`. */
  readonly authSecret?: string;
  /** The key that backups are signed with, and that restored ones have to be signed with. */
  readonly backupKey?: string;
  readonly rateLimit: { readonly requests: number; readonly windowSeconds: number };
  readonly bodyBytesMax: number;
  /** Open HTTP connections of one IPv4 address or IPv6 /64. */
  readonly httpConnectionsPerAddress: number;
  /** Live readers of one organization; further ones are rejected. */
  readonly readersPerOrganization: number;
  readonly signUp: (typeof signUpModes)[number];
  readonly eventRetentionDays: number;
  /** Missing if email is not configured. */
  readonly mail?: MailSettings;
  /** Absent where people sign in by password alone. */
  readonly signOn?: SignOnSettings;
  /** Whether webhooks may go to private addresses, and without TLS. */
  readonly webhooksAllowPrivateAddresses: boolean;
  readonly logLevel: (typeof logLevels)[number];
  readonly role: (typeof roles)[number];
  readonly redisUrl?: string;
  /** Set if readers connect to an external broker. */
  readonly externalBroker?: ExternalBroker;
};

function readMqttTls({ text, integer, file, mistakes }: ReturnType<typeof createReader>): Settings['mqttTls'] {
  const port = integer('MQTT_TLS_PORT', mqttPortTls, { min: 0, max: 65_535 });
  const certFile = file('MQTT_TLS_CERT_FILE');
  const keyFile = file('MQTT_TLS_KEY_FILE');
  if (certFile !== undefined && keyFile !== undefined) return { port, certFile, keyFile };
  if (certFile !== undefined) mistakes.push('MQTT_TLS_KEY_FILE is missing: a certificate needs its key');
  else if (keyFile !== undefined) mistakes.push('MQTT_TLS_CERT_FILE is missing: a key needs its certificate');
  else if (text('MQTT_TLS_PORT') !== undefined) {
    mistakes.push('MQTT_TLS_PORT needs MQTT_TLS_CERT_FILE and MQTT_TLS_KEY_FILE');
  }
  return undefined;
}

function readExternalBroker(reader: ReturnType<typeof createReader>): ExternalBroker | undefined {
  const { text, choice, url, file, mistakes } = reader;
  const address = url('MQTT_URL', ['mqtt:', 'mqtts:']);
  const onStop = choice('MQTT_ON_STOP', mqttOnStopModes, 'stay');
  const group = text('MQTT_GROUP') ?? 'whereabouts';
  const clientId = text('MQTT_CLIENT_ID') ?? `whereabouts-${hostname()}`;
  const caFile = file('MQTT_CA_FILE');
  if (address === undefined || !URL.canParse(address)) return undefined;
  const { protocol, hostname: host, port, username, password, pathname, search, hash } = new URL(address);
  const isTls = protocol === 'mqtts:';
  const [user, secret] = [percentDecoded(username), percentDecoded(password)];
  const flaws: [isThere: boolean, line: string][] = [
    [host === '' || port === '0', 'MQTT_URL must name a host, and a port from 1 to 65535 or none'],
    [!['', '/'].includes(pathname) || search !== '' || hash !== '', 'MQTT_URL must end with the host or the port'],
    [username === '' && password !== '', 'MQTT_URL must have a user where it has a password'],
    [!/^[\w.-]{1,100}$/.test(group), 'MQTT_GROUP must be 1 to 100 letters, digits, dots, dashes and underscores'],
    [!/^[\x21-\x7e]{1,200}$/.test(clientId), 'MQTT_CLIENT_ID must be 1 to 200 ASCII characters without spaces'],
    [caFile !== undefined && !isTls, 'MQTT_CA_FILE needs an MQTT_URL that begins with mqtts://'],
  ];
  mistakes.push(...flaws.filter(([isThere]) => isThere).map(([, line]) => line));
  return {
    // An IPv6 address is in brackets in a URL, and nowhere else.
    host: host.replaceAll(/^\[|\]$/g, ''),
    port: port !== '' ? Number(port) : isTls ? mqttPortTls : mqttPortPlain,
    isTls,
    ...(user && { username: user }),
    ...(secret && { password: secret }),
    clientId,
    group,
    onStop,
    ...(caFile !== undefined && { caFile }),
  };
}

function readMail({ text, url, mistakes }: ReturnType<typeof createReader>): MailSettings | undefined {
  const smtpUrl = url('SMTP_URL', ['smtp:', 'smtps:']);
  const from = text('MAIL_FROM');
  if (smtpUrl === undefined) return undefined;
  if (from === undefined) mistakes.push('MAIL_FROM is missing: email needs a sender');
  else if (!/^[^<>\p{Cc}]*<[^<>@\s:]+@[^<>@\s]+>$|^[^<>@\s:]+@[^<>@\s]+$/u.test(from)) {
    mistakes.push('MAIL_FROM must be an address, or a name with an address: Whereabouts <alerts@example.com>');
  }
  return { smtpUrl, from: from ?? '' };
}

function readSignOn({ text, choice, url, mistakes }: ReturnType<typeof createReader>): SignOnSettings | undefined {
  const issuer = url('OIDC_ISSUER', ['https:', 'http:']);
  const clientId = text('OIDC_CLIENT_ID');
  const clientSecret = text('OIDC_CLIENT_SECRET');
  const clientAuthentication = choice('OIDC_CLIENT_AUTHENTICATION', clientAuthentications, 'client_secret_basic');
  const name = text('OIDC_NAME') ?? 'single sign-on';
  const trustsEmail = choice('OIDC_TRUST_EMAIL', yesNo, 'false') === 'true';
  if (issuer === undefined) {
    if (clientId !== undefined || clientSecret !== undefined) mistakes.push('OIDC_ISSUER is missing');
    return undefined;
  }
  if (clientId === undefined) mistakes.push('OIDC_CLIENT_ID is missing: a provider has to know its clients');
  if (!/^[^\p{Cc}]{1,40}$/u.test(name)) mistakes.push('OIDC_NAME must have 40 characters at most');
  if (URL.canParse(issuer)) {
    const { protocol, hostname: host } = new URL(issuer);
    if (protocol === 'http:' && !loopbackHosts.includes(host)) {
      mistakes.push('OIDC_ISSUER must begin with https:// unless it is on this machine');
    }
  }
  const secret = clientSecret === undefined ? {} : { clientSecret };
  return { issuer, clientId: clientId ?? '', ...secret, clientAuthentication, name, trustsEmail };
}

function percentDecoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

function readAuthSecret(reader: ReturnType<typeof createReader>, required: boolean): string | undefined {
  const secret = reader.text('AUTH_SECRET');
  if (secret === undefined) {
    if (required) reader.mistakes.push('AUTH_SECRET is missing: with DATABASE_URL it must be set');
  } else if (secret.split(',').some((part) => Buffer.byteLength(part.trim()) < authSecretBytesMin)) {
    const several = secret.includes(',') ? ', and so must each part of it between commas' : '';
    reader.mistakes.push(`AUTH_SECRET must be at least ${authSecretBytesMin} bytes long${several}`);
  }
  return secret;
}

function readBackupKey({ text, mistakes }: ReturnType<typeof createReader>): string | undefined {
  const key = text('BACKUP_KEY');
  if (key !== undefined && Buffer.byteLength(key) < authSecretBytesMin) {
    mistakes.push(`BACKUP_KEY must be at least ${authSecretBytesMin} bytes long`);
  }
  return key;
}

/** The app and the addresses in its answers begin at the root of a host. Its name is in small letters, as browsers have it. */
function readBaseUrl({ url, mistakes }: ReturnType<typeof createReader>): string | undefined {
  const address = url('BASE_URL', ['http:', 'https:']);
  if (address === undefined || !/^https?:\/\//i.test(address) || !URL.canParse(address)) return address;
  const { origin, hostname: host, username, pathname, search, hash } = new URL(address);
  if (!/^\/*$/.test(pathname) || search !== '' || !['', '#/'].includes(hash)) {
    mistakes.push(
      'BASE_URL must end with the host or the port: the app needs a host of its own, such as https://whereabouts.example.com, and works below no path',
    );
  } else if (username !== '' || !/^[\w.-]+$|^\[.*\]$/.test(host)) {
    mistakes.push('BASE_URL must have a host alone, such as https://whereabouts.example.com');
  }
  return origin;
}

function readMetricsToken({ text, mistakes }: ReturnType<typeof createReader>): string | undefined {
  const token = text('METRICS_TOKEN');
  if (token !== undefined && !/^[\x21-\x7e]{16,512}$/.test(token)) {
    mistakes.push('METRICS_TOKEN must be 16 to 512 ASCII characters without spaces');
  }
  return token;
}

/**
 * Parses the settings of an environment, with defaults for missing ones.
 *
 * @throws SettingsError with all mistakes
 */
export function readSettings(env: Environment): Settings {
  const reader = createReader(env);
  const { text, integer, choice, url, networks, mistakes } = reader;
  const port = integer('PORT', 3000, { min: 0, max: 65_535 });
  const role = choice('ROLE', roles, 'all');
  const databaseUrl = url('DATABASE_URL', ['postgresql:', 'postgres:']);
  const targetDatabaseUrl = url('TARGET_DATABASE_URL', ['postgresql:', 'postgres:']);
  if (role !== 'all' && databaseUrl === undefined) {
    mistakes.push(`ROLE=${role} needs DATABASE_URL: the embedded database serves one process`);
  }
  const mqttTls = readMqttTls(reader);
  const authSecret = readAuthSecret(reader, databaseUrl !== undefined);
  const backupKey = readBackupKey(reader);
  const probesPort = reader.optionalPort('PROBES_PORT');
  const metricsPort = reader.optionalPort('METRICS_PORT');
  const metricsToken = readMetricsToken(reader);
  const mail = readMail(reader);
  const signOn = readSignOn(reader);
  const redisUrl = url('REDIS_URL', ['redis:', 'rediss:']);
  const externalBroker = readExternalBroker(reader);
  const mqttPlain = choice('MQTT_PLAIN', ['on', 'off'], 'on');
  if (mqttPlain === 'off' && role !== 'gateway' && !mqttTls && !externalBroker) {
    mistakes.push('MQTT_PLAIN=off needs MQTT_TLS_CERT_FILE and MQTT_TLS_KEY_FILE');
  }
  const settings: Settings = {
    host: text('HOST') ?? '127.0.0.1',
    port,
    mqttPort: integer('MQTT_PORT', mqttPortPlain, { min: 0, max: 65_535 }),
    mqttPlain,
    ...(mqttTls && { mqttTls }),
    ...(probesPort !== undefined && { probesPort }),
    ...(metricsPort !== undefined && { metricsPort }),
    ...(metricsToken !== undefined && { metricsToken }),
    stopDelaySeconds: integer('STOP_DELAY_SECONDS', 0, { min: 0, max: stopDelaySecondsMax }),
    ...(databaseUrl !== undefined && { databaseUrl }),
    ...(targetDatabaseUrl !== undefined && { targetDatabaseUrl }),
    ...(text('CELL_NUMBER') !== undefined && {
      cellNumber: integer('CELL_NUMBER', 0, { min: 0, max: cellNumberMax }),
    }),
    databasePoolSize: integer('DATABASE_POOL_SIZE', 10, { min: 2, max: 1000 }),
    dataDir: path.resolve(text('DATA_DIR') ?? '.data'),
    baseUrl: readBaseUrl(reader) ?? `http://localhost:${port}`,
    trustedProxies: networks('TRUSTED_PROXIES'),
    environment: choice('ENVIRONMENT', environments, 'production'),
    ...(authSecret !== undefined && { authSecret }),
    ...(backupKey !== undefined && { backupKey }),
    rateLimit: {
      requests: integer('RATE_LIMIT_REQUESTS', 3000, { min: 1, max: 1_000_000_000 }),
      windowSeconds: integer('RATE_LIMIT_WINDOW_SECONDS', 60, { min: 1, max: 86_400 }),
    },
    bodyBytesMax: integer('MAX_BODY_BYTES', 1_048_576, { min: 1024, max: 104_857_600 }),
    httpConnectionsPerAddress: integer('HTTP_CONNECTIONS_PER_ADDRESS', 1000, { min: 1, max: 1_000_000 }),
    readersPerOrganization: integer('READERS_PER_ORGANIZATION', 10_000, { min: 1, max: 1_000_000 }),
    signUp: choice('SIGN_UP', signUpModes, 'first'),
    eventRetentionDays: integer('EVENT_RETENTION_DAYS', 365, { min: 1, max: 3650 }),
    ...(mail && { mail }),
    ...(signOn && { signOn }),
    webhooksAllowPrivateAddresses: choice('WEBHOOKS_ALLOW_PRIVATE_ADDRESSES', yesNo, 'false') === 'true',
    logLevel: choice('LOG_LEVEL', logLevels, 'info'),
    role,
    ...(redisUrl !== undefined && { redisUrl }),
    ...(externalBroker && { externalBroker }),
  };
  if (mistakes.length > 0) throw new SettingsError(mistakes);
  return settings;
}

/**
 * Reads the settings of this process: its environment, which takes precedence over a file `.env` in the working
 * directory.
 *
 * @throws SettingsError with all mistakes
 */
export function readProcessSettings(): Settings {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return readSettings(process.env);
}
