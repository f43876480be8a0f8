import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { projectRoot } from '../../../server/kernel/project-root.js';
import { readSettings, SettingsError } from '../../../server/kernel/settings.js';
import { createTestFolder } from '../../support/folder.js';
import { createSelfSigned } from '../../support/self-signed.js';

const secret = 's'.repeat(32);

/** Returns the lines of the error for an environment; none if it is valid. */
function mistakes(env: Record<string, string>): readonly string[] {
  try {
    readSettings(env);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.lines;
    throw error;
  }
}

test('an empty environment gives the documented defaults', () => {
  expect(readSettings({})).toEqual({
    host: '127.0.0.1',
    port: 3000,
    mqttPort: 1883,
    databasePoolSize: 10,
    dataDir: path.resolve('.data'),
    baseUrl: 'http://localhost:3000',
    environment: 'production',
    rateLimit: { requests: 3000, windowSeconds: 60 },
    bodyBytesMax: 1_048_576,
    httpConnectionsPerAddress: 1000,
    mqttPlain: 'on',
    readersPerOrganization: 10_000,
    signUp: 'first',
    trustedProxies: [],
    webhooksAllowPrivateAddresses: false,
    eventRetentionDays: 365,
    logLevel: 'info',
    role: 'all',
    stopDelaySeconds: 0,
  });
});

test('metrics can have a port and a token, which must be strong', () => {
  const token = 'a-token-of-the-operator';
  expect(readSettings({ METRICS_PORT: '9464', METRICS_TOKEN: token })).toMatchObject({
    metricsPort: 9464,
    metricsToken: token,
  });
  for (const wrong of ['short', 'with some spaces in it', 'é'.repeat(20), 'x'.repeat(513)]) {
    expect(mistakes({ METRICS_TOKEN: wrong })).toEqual([
      'METRICS_TOKEN must be 16 to 512 ASCII characters without spaces',
    ]);
  }
});

test('empty and blank values count as absent', () => {
  expect(readSettings({ PORT: '', DATABASE_URL: ' ', BASE_URL: '', ROLE: '' })).toEqual(readSettings({}));
});

test('the base address follows the port, and loses a slash at its end', () => {
  expect(readSettings({ PORT: '8080' }).baseUrl).toBe('http://localhost:8080');
  expect(readSettings({ BASE_URL: 'https://things.example.com/' }).baseUrl).toBe('https://things.example.com');
});

test.each([
  'HTTPS://Things.Example.com',
  'https://things.example.com:443',
  'https://things.example.com//',
  // As it is copied from a browser.
  'https://things.example.com/#/',
  'https://things.example.com#',
  'https://things.example.com?',
])('the base address %s is the one that a browser shows', (address) => {
  expect(readSettings({ BASE_URL: address }).baseUrl).toBe('https://things.example.com');
});

test.each(['https://admin:secret@things.example.com', 'https://things.example.com,', 'https://*.example.com'])(
  'the base address %s has no host alone',
  (address) => {
    expect(mistakes({ BASE_URL: address })).toEqual([
      'BASE_URL must have a host alone, such as https://whereabouts.example.com',
    ]);
  },
);

test('all mistakes are reported at once, one line each', () => {
  expect(
    mistakes({
      PORT: '70000',
      MQTT_PORT: '1883x',
      DATABASE_URL: 'mysql://root:hunter2@db/x',
      AUTH_SECRET: 'short',
      BASE_URL: 'example.com',
      ENVIRONMENT: 'test',
      RATE_LIMIT_REQUESTS: '0',
      SIGN_UP: 'closed',
      LOG_LEVEL: 'loud',
      REDIS_URL: 'http://cache',
    }).toSorted(),
  ).toEqual([
    'AUTH_SECRET must be at least 32 bytes long',
    'BASE_URL must be an address that begins with http:// or https://',
    'DATABASE_URL must be an address that begins with postgresql:// or postgres://',
    'ENVIRONMENT must be one of production, preview, not "test"',
    'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent, not "loud"',
    'MQTT_PORT must be a whole number from 0 to 65535, not "1883x"',
    'PORT must be a whole number from 0 to 65535, not "70000"',
    'RATE_LIMIT_REQUESTS must be a whole number from 1 to 1000000000, not "0"',
    'REDIS_URL must be an address that begins with redis:// or rediss://',
    'SIGN_UP must be one of first, open, not "closed"',
  ]);
});

test('each of several secrets is long enough', () => {
  const secret = 'x'.repeat(32);
  expect(readSettings({ AUTH_SECRET: `${secret}, ${secret}` }).authSecret).toBe(`${secret}, ${secret}`);
  for (const text of [`${secret},`, `${secret},short`, 'a secret with a comma, of 40 bytes in all']) {
    expect(mistakes({ AUTH_SECRET: text })).toEqual([expect.stringContaining('each part of it between commas')]);
  }
});

test.each(['-1', '1.5', '0x10', '1e3', '٣', ' 30 00 ', '99999999999999999999'])('%j is rejected as a port', (value) => {
  expect(mistakes({ PORT: value })).toEqual([expect.stringContaining('PORT must be a whole number')]);
});

test('a database server needs a secret of its own, counted in bytes', () => {
  const env = { DATABASE_URL: 'postgresql://db/whereabouts' };
  expect(mistakes(env)).toEqual(['AUTH_SECRET is missing: with DATABASE_URL it must be set']);
  expect(mistakes({ ...env, AUTH_SECRET: secret.slice(1) })).toHaveLength(1);
  expect(mistakes({ ...env, AUTH_SECRET: 'é'.repeat(16) })).toEqual([]);
});

test('a process with one entry point needs a database server', () => {
  expect(mistakes({ ROLE: 'gateway' })).toEqual([
    'ROLE=gateway needs DATABASE_URL: the embedded database serves one process',
  ]);
  expect(mistakes({ ROLE: 'gateway', DATABASE_URL: 'postgresql://db/x', AUTH_SECRET: secret })).toEqual([]);
});

test('MQTT over TLS needs a certificate and its key, which belong together', () => {
  using folder = createTestFolder();
  using pair = createSelfSigned();
  using other = createSelfSigned();
  const { certFile, keyFile } = pair;
  const both = { MQTT_TLS_CERT_FILE: certFile, MQTT_TLS_KEY_FILE: keyFile };
  expect(readSettings(both).mqttTls).toEqual({ port: 8883, certFile, keyFile });
  expect(readSettings({ ...both, MQTT_TLS_PORT: '9000' }).mqttTls?.port).toBe(9000);
  expect(mistakes({ MQTT_TLS_CERT_FILE: certFile })).toEqual([
    'MQTT_TLS_KEY_FILE is missing: a certificate needs its key',
  ]);
  expect(mistakes({ MQTT_TLS_KEY_FILE: keyFile })).toEqual([
    'MQTT_TLS_CERT_FILE is missing: a key needs its certificate',
  ]);
  expect(mistakes({ ...both, MQTT_TLS_KEY_FILE: `${keyFile}.gone` })).toEqual([
    `MQTT_TLS_KEY_FILE names a file that cannot be read: ${keyFile}.gone`,
  ]);
  expect(mistakes({ MQTT_TLS_PORT: '8883' })).toHaveLength(1);
  expect(readSettings({ ...both, MQTT_PLAIN: 'off' }).mqttPlain).toBe('off');
  expect(mistakes({ MQTT_PLAIN: 'off' })).toEqual(['MQTT_PLAIN=off needs MQTT_TLS_CERT_FILE and MQTT_TLS_KEY_FILE']);

  const none = path.join(folder.path, 'none.pem');
  writeFileSync(none, 'none');
  expect(mistakes({ MQTT_TLS_CERT_FILE: none, MQTT_TLS_KEY_FILE: keyFile })).toEqual([
    `MQTT_TLS_CERT_FILE names a file without a certificate in PEM: ${none}`,
  ]);
  expect(mistakes({ MQTT_TLS_CERT_FILE: certFile, MQTT_TLS_KEY_FILE: folder.path })).toEqual([
    `MQTT_TLS_KEY_FILE names a file without a private key in PEM, or with one that needs a password: ${folder.path}`,
  ]);
  expect(mistakes({ ...both, MQTT_TLS_KEY_FILE: other.keyFile })).toEqual([
    `MQTT_TLS_KEY_FILE is not the key of the certificate in MQTT_TLS_CERT_FILE: ${other.keyFile}, ${certFile}`,
  ]);
});

test('two settings of a process cannot have the same port', () => {
  expect(mistakes({ METRICS_PORT: '3000' })).toEqual([
    'METRICS_PORT is 3000, which is PORT already: set one of them to another port',
  ]);
  expect(mistakes({ PORT: '1883' })).toEqual([
    'MQTT_PORT is 1883, which is PORT already: set one of them to another port',
  ]);
  expect(mistakes({ PORT: '0', MQTT_PORT: '0', METRICS_PORT: '0' })).toEqual([]);
  const processes = { DATABASE_URL: 'postgresql://db/x', AUTH_SECRET: secret, PORT: '3000', MQTT_PORT: '3000' };
  expect(mistakes({ ...processes, ROLE: 'gateway' })).toEqual([]);
  expect(mistakes({ ...processes, ROLE: 'ingest-broker' })).toEqual([]);
  expect(mistakes({ ...processes, ROLE: 'ingest-broker', PROBES_PORT: '3000' })).toEqual([
    'PROBES_PORT is 3000, which is MQTT_PORT already: set one of them to another port',
  ]);
  expect(mistakes({ PORT: '1883', MQTT_URL: 'mqtt://mq' })).toEqual([]);
});

test('the address of an external broker contains how to connect and the identity of this process', () => {
  using pair = createSelfSigned();
  const id = `whereabouts-${hostname()}`;
  const usual = { port: 1883, isTls: false, clientId: id, group: 'whereabouts', onStop: 'stay' };
  expect(readSettings({ MQTT_URL: 'mqtt://mq.example.com' }).externalBroker).toEqual({
    ...usual,
    host: 'mq.example.com',
  });
  expect(readSettings({ MQTT_URL: 'mqtts://in%40gest:p%2Fw@[::1]/', MQTT_GROUP: 'a.b' }).externalBroker).toEqual({
    ...usual,
    host: '::1',
    port: 8883,
    isTls: true,
    username: 'in@gest',
    password: 'p/w',
    group: 'a.b',
  });
  const more = { MQTT_CLIENT_ID: 'ingest-1', MQTT_ON_STOP: 'leave', MQTT_CA_FILE: pair.certFile };
  expect(readSettings({ MQTT_URL: 'mqtts://mq:9000', ...more }).externalBroker).toEqual({
    ...usual,
    host: 'mq',
    port: 9000,
    isTls: true,
    clientId: 'ingest-1',
    onStop: 'leave',
    caFile: pair.certFile,
  });
});

test.each([
  ['mqtt://', 'MQTT_URL must name a host, and a port from 1 to 65535 or none'],
  ['mqtt://mq:0', 'MQTT_URL must name a host, and a port from 1 to 65535 or none'],
  ['mqtt://mq/topic', 'MQTT_URL must end with the host or the port'],
  ['mqtt://mq?qos=1', 'MQTT_URL must end with the host or the port'],
  [
    'mqtt://user:hunter%2@mq',
    'MQTT_URL must have special characters of its user and password percent-encoded: %23 for #, %2F for /, %3F for ?, %25 for %',
  ],
  ['mqtt://:hunter2@mq', 'MQTT_URL must have a user where it has a password'],
  ['ws://mq', 'MQTT_URL must be an address that begins with mqtt:// or mqtts://'],
])('%s is rejected as the address of an external broker', (address, mistake) => {
  expect(mistakes({ MQTT_URL: address })).toEqual([mistake]);
});

test('the settings of an external broker are checked together', () => {
  using pair = createSelfSigned();
  const wrong = { MQTT_GROUP: 'a/b', MQTT_CLIENT_ID: 'a b', MQTT_CA_FILE: pair.certFile, MQTT_ON_STOP: 'go' };
  expect(mistakes({ MQTT_URL: 'mqtt://mq', ...wrong })).toEqual([
    'MQTT_ON_STOP must be one of stay, leave, not "go"',
    'MQTT_GROUP must be 1 to 100 letters, digits, dots, dashes and underscores',
    'MQTT_CLIENT_ID must be 1 to 200 ASCII characters without spaces',
    'MQTT_CA_FILE needs an MQTT_URL that begins with mqtts://',
  ]);
});

test('.env.example is itself a good environment', () => {
  const example = readFileSync(path.join(projectRoot(), '.env.example'), 'utf8');
  expect(readSettings(parseEnv(example))).toEqual(readSettings({}));
});

test('trusted proxies are valid addresses and networks', () => {
  expect(readSettings({}).trustedProxies).toEqual([]);
  const given = '10.0.0.0/8, 192.0.2.7,::1,fd00::/8';
  expect(readSettings({ TRUSTED_PROXIES: given }).trustedProxies).toEqual([
    '10.0.0.0/8',
    '192.0.2.7',
    '::1',
    'fd00::/8',
  ]);
  for (const wrong of ['proxy.example.com', '10.0.0.0/33', '::1/129', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0', '*']) {
    expect(mistakes({ TRUSTED_PROXIES: `::1,${wrong}` })).toEqual([
      `TRUSTED_PROXIES must be addresses and networks like 10.0.0.0/8, separated by commas; "${wrong}" is none`,
    ]);
  }
});

test('a process without a gateway serves its health on the configured port, and otherwise nowhere', () => {
  expect(readSettings({}).probesPort).toBeUndefined();
  expect(readSettings({ PROBES_PORT: '9000' }).probesPort).toBe(9000);
  expect(mistakes({ PROBES_PORT: 'yes' })).toEqual(['PROBES_PORT must be a whole number from 0 to 65535, not "yes"']);
});

test('email needs a server and a sender, and both are checked', () => {
  const smtpUrl = 'smtps://user:secret@mail.example.com:465';
  expect(readSettings({ SMTP_URL: smtpUrl, MAIL_FROM: 'Whereabouts <a@example.com>' }).mail).toEqual({
    smtpUrl,
    from: 'Whereabouts <a@example.com>',
    hostName: 'example.com',
  });
  expect(readSettings({ MAIL_FROM: 'a@example.com' }).mail).toBeUndefined();
  expect(() => readSettings({ SMTP_URL: smtpUrl })).toThrow('MAIL_FROM is missing');
  for (const from of ['nobody', 'mailto:a@example.com']) {
    expect(() => readSettings({ SMTP_URL: smtpUrl, MAIL_FROM: from })).toThrow('MAIL_FROM must be an address');
  }
  expect(() => readSettings({ SMTP_URL: 'http://mail', MAIL_FROM: 'a@example.com' })).toThrow('SMTP_URL must be');
});

test('single sign-on needs an issuer and a client, and TLS unless the provider is on this machine', () => {
  const oidcIssuer = 'https://login.example.com/realms/acme';
  const oidcClientId = 'whereabouts';
  expect(readSettings({}).signOn).toBeUndefined();
  expect(readSettings({ OIDC_ISSUER: oidcIssuer, OIDC_CLIENT_ID: oidcClientId }).signOn).toEqual({
    issuer: oidcIssuer,
    clientId: oidcClientId,
    clientAuthentication: 'client_secret_basic',
    name: 'single sign-on',
    trustsEmail: false,
  });
  const more = {
    OIDC_CLIENT_SECRET: 'secret',
    OIDC_NAME: 'Acme ID',
    OIDC_TRUST_EMAIL: 'true',
    OIDC_CLIENT_AUTHENTICATION: 'client_secret_post',
  };
  expect(readSettings({ OIDC_ISSUER: 'http://localhost:8080', OIDC_CLIENT_ID: oidcClientId, ...more }).signOn).toEqual({
    issuer: 'http://localhost:8080',
    clientId: oidcClientId,
    clientSecret: 'secret',
    clientAuthentication: 'client_secret_post',
    name: 'Acme ID',
    trustsEmail: true,
  });
  expect(() => readSettings({ OIDC_ISSUER: oidcIssuer })).toThrow('OIDC_CLIENT_ID is missing');
  expect(() => readSettings({ OIDC_CLIENT_ID: oidcClientId })).toThrow('OIDC_ISSUER is missing');
  const unknown = { OIDC_ISSUER: oidcIssuer, OIDC_CLIENT_ID: oidcClientId, OIDC_CLIENT_AUTHENTICATION: 'basic' };
  expect(() => readSettings(unknown)).toThrow('OIDC_CLIENT_AUTHENTICATION must be one of');
  const plain = { OIDC_ISSUER: 'http://login.example.com', OIDC_CLIENT_ID: oidcClientId };
  expect(() => readSettings(plain)).toThrow('must begin with https://');
});
