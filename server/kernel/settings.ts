import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import {
  address,
  belongTogether,
  certificateFile,
  choice,
  integer,
  keyFile,
  networks,
  port,
  yesOrNo,
} from './setting-kinds.js';

const mqttPortPlain = 1883;
const mqttPortTls = 8883;
const secretBytesMin = 32;
const processId = `whereabouts-${hostname()}`;

/** An address, or a name with an address in angle brackets. */
const senderPattern = /^[^<>\p{Cc}]*<[^<>@\s:]+@[^<>@\s]+>$|^[^<>@\s:]+@[^<>@\s]+$/u;
const databaseAddress = address('postgresql://', 'postgres://');

/** Every setting, with its limits and its default. `.env.example` describes each one. */
export const settingTable = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(3000),
  MQTT_PORT: port.default(mqttPortPlain),
  MQTT_PLAIN: choice('on', 'off').default('on'),
  MQTT_TLS_PORT: port.default(mqttPortTls),
  MQTT_TLS_CERT_FILE: certificateFile.optional(),
  MQTT_TLS_KEY_FILE: keyFile.optional(),
  BASE_URL: address('http://', 'https://')
    .refine((text) => isOrigin(new URL(text)), {
      error:
        'must end with the host or the port: the app needs a host of its own, such as https://whereabouts.example.com, and works below no path',
      abort: true,
    })
    .refine((text) => hasHostAlone(new URL(text)), 'must have a host alone, such as https://whereabouts.example.com')
    .transform((text) => new URL(text).origin)
    .optional(),
  TRUSTED_PROXIES: networks.default([]),
  DATABASE_URL: databaseAddress.optional(),
  DATABASE_POOL_SIZE: integer(2, 1000).default(10),
  DATA_DIR: z.string().default('.data'),
  AUTH_SECRET: z
    .string()
    .refine((text) => text.split(',').every((part) => isLongSecret(part.trim())), {
      error: ({ input }) =>
        `must be at least ${secretBytesMin} bytes long${String(input).includes(',') ? ', and so must each part of it between commas' : ''}`,
    })
    .optional(),
  BACKUP_KEY: z.string().refine(isLongSecret, `must be at least ${secretBytesMin} bytes long`).optional(),
  ENVIRONMENT: choice('production', 'preview').default('production'),
  SIGN_UP: choice('first', 'open').default('first'),
  RATE_LIMIT_REQUESTS: integer(1, 1_000_000_000).default(3000),
  RATE_LIMIT_WINDOW_SECONDS: integer(1, 86_400).default(60),
  MAX_BODY_BYTES: integer(1024, 104_857_600).default(1_048_576),
  HTTP_CONNECTIONS_PER_ADDRESS: integer(1, 1_000_000).default(1000),
  READERS_PER_ORGANIZATION: integer(1, 1_000_000).default(10_000),
  EVENT_RETENTION_DAYS: integer(1, 3650).default(365),
  WEBHOOKS_ALLOW_PRIVATE_ADDRESSES: yesOrNo,
  SMTP_URL: address('smtp://', 'smtps://').optional(),
  MAIL_FROM: z.string().optional(),
  OIDC_ISSUER: address('https://', 'http://')
    .refine((text) => isEncryptedOrHere(new URL(text)), 'must begin with https:// unless it is on this machine')
    .optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_CLIENT_AUTHENTICATION: choice('client_secret_basic', 'client_secret_post').default('client_secret_basic'),
  OIDC_NAME: z.string().default('single sign-on'),
  OIDC_TRUST_EMAIL: yesOrNo,
  LOG_LEVEL: choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').default('info'),
  ROLE: choice('all', 'gateway', 'ingest-broker').default('all'),
  STOP_DELAY_SECONDS: integer(0, 300).default(0),
  PROBES_PORT: port.optional(),
  METRICS_PORT: port.optional(),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,512}$/, 'must be 16 to 512 ASCII characters without spaces')
    .optional(),
  REDIS_URL: address('redis://', 'rediss://').optional(),
  MQTT_URL: address('mqtt://', 'mqtts://')
    .transform((text) => new URL(text))
    .refine((url) => url.host !== '' && url.port !== '0', 'must name a host, and a port from 1 to 65535 or none')
    .refine((url) => /^\/?$/.test(url.pathname + url.search + url.hash), 'must end with the host or the port')
    .refine((url) => url.username !== '' || url.password === '', 'must have a user where it has a password')
    .optional(),
  MQTT_GROUP: z.string().default('whereabouts'),
  MQTT_CLIENT_ID: z.string().default(processId),
  MQTT_ON_STOP: choice('stay', 'leave').default('stay'),
  MQTT_CA_FILE: certificateFile.optional(),
});

function isLongSecret(text: string): boolean {
  return Buffer.byteLength(text) >= secretBytesMin;
}

function isOrigin({ pathname, search, hash }: URL): boolean {
  return /^\/*$/.test(pathname) && search === '' && ['', '#/'].includes(hash);
}

function hasHostAlone({ username, hostname: host }: URL): boolean {
  return username === '' && /^[\w.-]+$|^\[.*\]$/.test(host);
}

function isEncryptedOrHere({ protocol, hostname: host }: URL): boolean {
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(host);
}

/** Returns what is wrong with settings together, or with a setting where another one is set. */
function conflictsOf(env: Partial<Record<keyof typeof settingTable.shape, string>>): string[] {
  const {
    ROLE: role = 'all',
    MQTT_GROUP: group = 'x',
    MQTT_CLIENT_ID: clientId = processId,
    OIDC_NAME: name = 'x',
  } = env;
  const hasCertificate = env.MQTT_TLS_CERT_FILE && env.MQTT_TLS_KEY_FILE;
  const conflicts: [isThere: unknown, line: string][] = [
    [
      ['gateway', 'ingest-broker'].includes(role) && !env.DATABASE_URL,
      `ROLE=${role} needs DATABASE_URL: the embedded database serves one process`,
    ],
    [env.DATABASE_URL && !env.AUTH_SECRET, 'AUTH_SECRET is missing: with DATABASE_URL it must be set'],
    [env.MQTT_TLS_CERT_FILE && !env.MQTT_TLS_KEY_FILE, 'MQTT_TLS_KEY_FILE is missing: a certificate needs its key'],
    [env.MQTT_TLS_KEY_FILE && !env.MQTT_TLS_CERT_FILE, 'MQTT_TLS_CERT_FILE is missing: a key needs its certificate'],
    [
      env.MQTT_TLS_PORT && !env.MQTT_TLS_CERT_FILE && !env.MQTT_TLS_KEY_FILE,
      'MQTT_TLS_PORT needs MQTT_TLS_CERT_FILE and MQTT_TLS_KEY_FILE',
    ],
    [
      env.MQTT_PLAIN === 'off' && role !== 'gateway' && !hasCertificate && !env.MQTT_URL,
      'MQTT_PLAIN=off needs MQTT_TLS_CERT_FILE and MQTT_TLS_KEY_FILE',
    ],
    [env.SMTP_URL && !env.MAIL_FROM, 'MAIL_FROM is missing: email needs a sender'],
    [
      env.SMTP_URL && env.MAIL_FROM && !senderPattern.test(env.MAIL_FROM),
      'MAIL_FROM must be an address, or a name with an address: Whereabouts <alerts@example.com>',
    ],
    [!env.OIDC_ISSUER && (env.OIDC_CLIENT_ID || env.OIDC_CLIENT_SECRET), 'OIDC_ISSUER is missing'],
    [env.OIDC_ISSUER && !env.OIDC_CLIENT_ID, 'OIDC_CLIENT_ID is missing: a provider has to know its clients'],
    [env.OIDC_ISSUER && !/^[^\p{Cc}]{1,40}$/u.test(name), 'OIDC_NAME must have 40 characters at most'],
    [
      env.MQTT_URL && !/^[\w.-]{1,100}$/.test(group),
      'MQTT_GROUP must be 1 to 100 letters, digits, dots, dashes and underscores',
    ],
    [
      env.MQTT_URL && !/^[\x21-\x7e]{1,200}$/.test(clientId),
      'MQTT_CLIENT_ID must be 1 to 200 ASCII characters without spaces',
    ],
    [
      env.MQTT_URL && env.MQTT_CA_FILE && !/^mqtts:/i.test(env.MQTT_URL),
      'MQTT_CA_FILE needs an MQTT_URL that begins with mqtts://',
    ],
  ];
  return conflicts.flatMap(([isThere, line]) => (isThere ? [line] : []));
}

/** All mistakes in the settings: one line each, beginning with the setting's name. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/** Variables by name, like `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The settings, parsed and checked together. */
export type Settings = Readonly<ReturnType<typeof settingsOf>>;

/** The MQTT broker that readers publish to instead of to the service itself, and this process as a client of it. */
export type ExternalBroker = NonNullable<Settings['externalBroker']>;

/**
 * Parses the settings of an environment, with defaults for missing ones. An empty value counts as missing: compose files pass unset
 * variables on as empty ones.
 *
 * @throws SettingsError with all mistakes
 */
export function readSettings(env: Environment): Settings {
  const given = Object.fromEntries(
    Object.keys(settingTable.shape).map((name) => [name, env[name]?.trim() || undefined]),
  );
  const { data: values, error } = settingTable.safeParse(given);
  const mistakes = [
    ...(error?.issues ?? []).map(({ path: [name], message }) => `${String(name)} ${message}`),
    ...conflictsOf(given),
  ];
  if (!values || mistakes.length > 0) throw new SettingsError(mistakes);
  const clashes = [...sharedPorts(values), ...differentPair(values)];
  if (clashes.length > 0) throw new SettingsError(clashes);
  return settingsOf(values);
}

type Values = z.output<typeof settingTable>;

/** Returns a line for each setting whose port another setting of this process has too. */
function sharedPorts(values: Values): string[] {
  const { ROLE: role } = values;
  const isBroker = role !== 'gateway' && values.MQTT_URL === undefined;
  const listening: [name: string, port: number | undefined][] = [
    ['PORT', role === 'ingest-broker' ? undefined : values.PORT],
    ['MQTT_PORT', isBroker && values.MQTT_PLAIN === 'on' ? values.MQTT_PORT : undefined],
    ['MQTT_TLS_PORT', isBroker && values.MQTT_TLS_CERT_FILE !== undefined ? values.MQTT_TLS_PORT : undefined],
    ['PROBES_PORT', role === 'ingest-broker' ? values.PROBES_PORT : undefined],
    ['METRICS_PORT', values.METRICS_PORT],
  ];
  return listening.flatMap(([name, port], index) => {
    const first = port ? listening.slice(0, index).find(([, other]) => other === port) : undefined;
    return first ? [`${name} is ${port}, which is ${first[0]} already: set one of them to another port`] : [];
  });
}

function differentPair({ MQTT_TLS_CERT_FILE: certFile, MQTT_TLS_KEY_FILE: ofKey }: Values): string[] {
  if (certFile === undefined || ofKey === undefined || belongTogether(certFile, ofKey)) return [];
  return [`MQTT_TLS_KEY_FILE is not the key of the certificate in MQTT_TLS_CERT_FILE: ${ofKey}, ${certFile}`];
}

function settingsOf(values: Values) {
  const { MQTT_TLS_CERT_FILE: certFile, MQTT_TLS_KEY_FILE: keyFile, SMTP_URL: smtpUrl, OIDC_ISSUER: issuer } = values;
  return {
    host: values.HOST,
    /** 0 lets the system choose a free port; the same applies to the MQTT ports. */
    port: values.PORT,
    mqttPort: values.MQTT_PORT,
    mqttPlain: values.MQTT_PLAIN,
    mqttTls:
      certFile === undefined || keyFile === undefined ? undefined : { port: values.MQTT_TLS_PORT, certFile, keyFile },
    /** The port of the health checks in a process without a gateway. */
    probesPort: values.PROBES_PORT,
    /** The port of `/metrics` where it has one of its own; otherwise it is on the port of the health checks. */
    metricsPort: values.METRICS_PORT,
    /** The bearer token that `/metrics` requires. */
    metricsToken: values.METRICS_TOKEN,
    /** How long the process goes on serving after SIGTERM, while `/readyz` already reports that it stops. */
    stopDelaySeconds: values.STOP_DELAY_SECONDS,
    /** Missing in embedded mode. */
    databaseUrl: values.DATABASE_URL,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    /** An absolute path. */
    dataDir: path.resolve(values.DATA_DIR),
    /** Without a trailing slash; its name is in small letters, as browsers have it. */
    baseUrl: values.BASE_URL ?? `http://localhost:${values.PORT}`,
    /** Addresses, and networks in CIDR notation. */
    trustedProxies: values.TRUSTED_PROXIES,
    environment: values.ENVIRONMENT,
    /** Missing in embedded mode unless set: `main.ts` then uses the one stored in `dataDir`. */
    authSecret: values.AUTH_SECRET,
    /** The key that backups are signed with, and that restored ones have to be signed with. */
    backupKey: values.BACKUP_KEY,
    rateLimit: { requests: values.RATE_LIMIT_REQUESTS, windowSeconds: values.RATE_LIMIT_WINDOW_SECONDS },
    bodyBytesMax: values.MAX_BODY_BYTES,
    /** Open HTTP connections of one IPv4 address or IPv6 /64. */
    httpConnectionsPerAddress: values.HTTP_CONNECTIONS_PER_ADDRESS,
    /** Live readers of one organization; further ones are rejected. */
    readersPerOrganization: values.READERS_PER_ORGANIZATION,
    signUp: values.SIGN_UP,
    eventRetentionDays: values.EVENT_RETENTION_DAYS,
    /** Missing if email is not configured. */
    mail: smtpUrl === undefined ? undefined : mailOf(smtpUrl, values),
    /** Absent where people sign in by password alone. */
    signOn:
      issuer === undefined
        ? undefined
        : {
            /** As its discovery document and its tokens name it. */
            issuer,
            clientId: values.OIDC_CLIENT_ID ?? '',
            /** Absent for a public client. */
            clientSecret: values.OIDC_CLIENT_SECRET,
            /** How the service presents the secret at the token endpoint (OpenID Connect Core 1.0, 9). */
            clientAuthentication: values.OIDC_CLIENT_AUTHENTICATION,
            /** What the app calls it: "Sign in with …". */
            name: values.OIDC_NAME,
            /** Whether addresses count as verified where the provider never says whether they are. */
            trustsEmail: values.OIDC_TRUST_EMAIL,
          },
    /** Whether webhooks may go to private addresses, and without TLS. */
    webhooksAllowPrivateAddresses: values.WEBHOOKS_ALLOW_PRIVATE_ADDRESSES,
    logLevel: values.LOG_LEVEL,
    role: values.ROLE,
    redisUrl: values.REDIS_URL,
    /** Set if readers connect to an external broker. */
    externalBroker: values.MQTT_URL && externalBrokerAt(values.MQTT_URL, values),
  };
}

/** The mail server, the sender, and the name with which the service greets the server: the machine's name if undefined. */
type MailSettings = { smtpUrl: string; from: string; hostName?: string };

function mailOf(
  smtpUrl: string,
  { MAIL_FROM: from = '', BASE_URL: baseUrl = 'http://localhost' }: Values,
): MailSettings {
  const { hostname: host } = new URL(baseUrl);
  const isFull = host.includes('.') && isIP(host) === 0;
  // The name needs a domain: the sender's domain where the service has none.
  return { smtpUrl, from, hostName: isFull ? host : from.replace(/^.*@|>$/gs, '') };
}

function externalBrokerAt(url: URL, values: Values) {
  const isTls = url.protocol === 'mqtts:';
  return {
    // An IPv6 address is in brackets in a URL, and nowhere else.
    host: url.hostname.replaceAll(/^\[|\]$/g, ''),
    port: url.port !== '' ? Number(url.port) : isTls ? mqttPortTls : mqttPortPlain,
    isTls,
    username: decodeURIComponent(url.username) || undefined,
    password: decodeURIComponent(url.password) || undefined,
    /** Unique to this process, and stable across restarts. */
    clientId: values.MQTT_CLIENT_ID,
    /** The processes that share the messages. */
    group: values.MQTT_GROUP,
    /** Whether the broker keeps messages for this process after an orderly stop. */
    onStop: values.MQTT_ON_STOP,
    /** PEM: the authority of the broker's certificate, if it is not a public one. */
    caFile: values.MQTT_CA_FILE,
  };
}

/**
 * Reads the settings of this process: its environment, which takes precedence over `more`, and over a file `.env` in the working
 * directory.
 *
 * @throws SettingsError with all mistakes
 */
export function readProcessSettings(more: Environment = {}): Settings {
  for (const [name, value] of Object.entries(more)) process.env[name] ??= value;
  if (existsSync('.env')) process.loadEnvFile('.env');
  return readSettings(process.env);
}

/** Returns whether the environment of this process has the folder of the data. Without it the data is in a folder of the working directory. */
export function namesDatabase(): boolean {
  return Boolean(process.env['DATABASE_URL'] || process.env['DATA_DIR']);
}

/** Returns where the data is, for people: the folder of the embedded database, or the host and name of another one. */
export function dataLocation({ databaseUrl, dataDir }: Pick<Settings, 'databaseUrl' | 'dataDir'>): string {
  if (databaseUrl === undefined) return dataDir;
  const { host, pathname } = new URL(databaseUrl);
  return `the database ${host}${pathname}`;
}
