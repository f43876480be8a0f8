import { expect, test } from 'vitest';
import { readOptions, usage } from '../../demo/options.js';

test('without arguments a day of twelve hours is played at an hour a minute', () => {
  expect(readOptions([])).toEqual({
    seed: 1,
    speed: 12,
    dayMs: 12 * 3_600_000,
    assets: 2000,
    once: false,
    report: 'table',
    url: undefined,
    mqttUrl: undefined,
    account: undefined,
    locationRule: undefined,
    outputFile: undefined,
  });
});

test('every option is read', () => {
  const args =
    '--seed 7 --speed max --hours 0.5 --assets 50 --once --report json --url http://a:1/ --mqtt mqtt://b:2 --email a@b --password c --location-rule newest --output /tmp/result.json';
  expect(readOptions(args.split(' '))).toEqual({
    seed: 7,
    speed: Number.POSITIVE_INFINITY,
    dayMs: 1_800_000,
    assets: 50,
    once: true,
    report: 'json',
    url: 'http://a:1',
    mqttUrl: 'mqtt://b:2',
    account: { email: 'a@b', password: 'c' },
    locationRule: 'newest',
    outputFile: '/tmp/result.json',
  });
});

test('--help is answered before other options are checked', () => {
  expect(readOptions(['--help', '--speed', 'fast'])).toBeUndefined();
});

test.each([
  [['--seed', '-1'], /--seed/],
  [['--seed', '1.5'], '--seed must be a whole number from 0 to 4294967295, not "1.5"'],
  [['--speed', 'fast'], '--speed must be a number from 0.1 to 10000, not "fast"'],
  [['--hours', '0'], '--hours must be a number from 0.1 to 168, not "0"'],
  [['--assets', '1e3'], '--assets must be a whole number from 20 to 50000, not "1e3"'],
  [['--report', 'xml'], '--report must be table or json'],
  [['--url', 'localhost:3000'], '--url must be an address that begins with http:// or https://'],
  [['--location-rule', 'strongest'], '--location-rule must be evidence or newest'],
  [['--output', ''], '--output needs the name of a file'],
  [['--mqtt', 'mqtt://localhost'], '--mqtt needs --url'],
  [['--email', 'a@b'], '--email and --password go together'],
  [['--sped', '1'], /'--sped'/],
  [['play'], /'play'/],
])('%s are rejected with the list of options', (args, words) => {
  const read = () => readOptions(args);
  expect(read).toThrow(words);
  expect(read).toThrow(usage);
});
