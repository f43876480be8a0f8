import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readSettings, type SettingsError } from '../../server/kernel/settings.js';

const seen = readFileSync(new URL('inputs/unescaped-settings.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '');

/** Returns the messages about the settings of a line `NAME=value`. */
function mistakesOf(line: string): readonly string[] {
  const at = line.indexOf('=');
  const mail = line.startsWith('SMTP_URL') ? { MAIL_FROM: 'whereabouts@example.com' } : {};
  try {
    readSettings({ AUTH_SECRET: 'a'.repeat(32), ...mail, [line.slice(0, at)]: line.slice(at + 1) });
    return [];
  } catch (error) {
    return (error as SettingsError).lines;
  }
}

test.each([
  ...seen,
  'SMTP_URL=smtps://wa:12#ssword@mail.example.com:465',
  'SMTP_URL=smtps://wa:12/ssword@mail.example.com:465',
  'SMTP_URL=smtps://wa:12?ssword@mail.example.com',
  'SMTP_URL=smtp://wa:50%ssword@mail.example.com',
  'SMTP_URL=smtp://me#ssword@example.com:p@mail.example.com',
  'DATABASE_URL=postgresql://wa:ssword/1@db.example.com:5432/wa',
  'DATABASE_URL=postgresql://wa:123/ssword?@db.example.com/wa?sslmode=require',
  'DATABASE_URL=postgresql://wa:100%ssword@db.example.com:5432/wa',
  'REDIS_URL=rediss://:ssword?2@redis.example.com:6379/1',
  'REDIS_URL=redis://default:%ssword@redis.example.com',
  'MQTT_URL=mqtts://wa:ssword#1@broker.example.com',
  'MQTT_URL=mqtt://wa:%ssword@broker.example.com',
])('the message about %s names the reason, and nothing of the password', (line) => {
  expect(mistakesOf(line)).toEqual([
    `${line.split('=')[0]} must have special characters of its user and password percent-encoded: %23 for #, %2F for /, %3F for ?, %25 for %`,
  ]);
});

test.each([
  'SMTP_URL=smtps://wa:pa%23ssword@mail.example.com:465',
  'SMTP_URL=smtp://me%40example.com:a:b+c@mail.example.com',
  'SMTP_URL=smtp://mail.example.com:25?name=me@example.com',
  'DATABASE_URL=postgresql://db.example.com/wa?user=me@tenant&password=x',
  'DATABASE_URL=postgresql:///wa?host=/var/run/postgresql',
  'REDIS_URL=redis://:my%23pass@127.0.0.1:6379',
])('%s is accepted', (line) => {
  expect(mistakesOf(line)).toEqual([]);
});

test('other mistakes keep their own messages', () => {
  expect(mistakesOf('SMTP_URL=mail.example.com')).toEqual([
    'SMTP_URL must be an address that begins with smtp:// or smtps://',
  ]);
  expect(mistakesOf('SMTP_URL=smtps://mail.example.com:port')).toEqual([
    'SMTP_URL must be an address with a host, and a port from 1 to 65535 or none',
  ]);
});
