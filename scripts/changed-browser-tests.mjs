/** Which browser tests concern a change of the app. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { StepError } from './prepare.mjs';

/** Tests of what every page has in common: opening, signing in, navigation, lists, forms, live changes. */
const common = ['app', 'home', 'session', 'assets-table', 'edit-conflict'];

/** The tests of each folder of `web/`, and of each of `web/pages/`. */
const testsOf = {
  activity: ['activity'],
  alerts: ['alerts'],
  api: common,
  browser: [...common, 'plain-http', 'translated-page', 'input-method', 'live'],
  containers: ['containers', 'bulk-edit'],
  csv: ['import', 'export'],
  docs: ['api-docs'],
  emails: ['scheduled-emails'],
  exports: ['export'],
  i18n: ['language'],
  kinds: ['find', 'assets-table'],
  labels: ['labels'],
  live: ['live', 'plain-http'],
  locales: ['language'],
  offline: ['last-known'],
  'pages/account': ['account'],
  'pages/activity': ['activity'],
  'pages/alerts': ['alerts', 'webhooks'],
  'pages/assets': ['asset', 'assets-table', 'asset-views', 'bulk-edit', 'edit-conflict'],
  'pages/audits': ['audit'],
  'pages/crash': ['bad-network'],
  'pages/deleted': ['asset'],
  'pages/earlier-memberships': ['earlier-memberships'],
  'pages/home': ['home'],
  'pages/import': ['import'],
  'pages/join': ['members'],
  'pages/labels': ['labels'],
  'pages/locations': ['locations', 'location', 'audit', 'plan-editor'],
  'pages/not-found': ['locations'],
  'pages/readers': ['readers'],
  'pages/reports': ['reports'],
  'pages/reset-password': ['password-reset'],
  'pages/scan': ['scan', 'scan-offline', 'containers'],
  'pages/settings': ['settings', 'keys', 'members', 'find'],
  'pages/sign-in': ['session'],
  'pages/sign-on': ['sign-on'],
  'pages/start': ['first-run'],
  'pages/stop-email': ['scheduled-emails'],
  'pages/unknown-tags': ['unknown-tags'],
  'pages/welcome': ['first-run'],
  plans: ['plan', 'plan-editor', 'time-slider'],
  problems: ['scan'],
  public: ['pwa'],
  push: ['push'],
  readers: ['readers', 'first-run'],
  reports: ['reports'],
  scanning: ['scan', 'scan-offline', 'sign-out', 'containers'],
  search: ['search', 'find'],
  session: ['session', 'sign-out', 'organizations'],
  shell: [...common, 'organizations', 'sign-out', 'new-version', 'plain-http'],
  tags: ['asset', 'unknown-tags'],
  time: ['time-slider'],
  trash: ['asset', 'assets-table'],
  undo: ['activity', 'assets-table', 'bulk-edit', 'import'],
  ui: [...common, 'layout-shift'],
};

const fileOf = (name) => `test/browser/${name}.test.ts`;

function folders(root, folder) {
  return readdirSync(path.join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

/** Throws if a folder of the app has no tests above, or if a test does not exist. */
export function checkBrowserTests(root) {
  const all = [...folders(root, 'web'), ...folders(root, 'web/pages').map((name) => `pages/${name}`)];
  const missing = all.find((name) => name !== 'pages' && !(name in testsOf));
  if (missing) throw new StepError(`scripts/changed-browser-tests.mjs has no tests for web/${missing}`);
  const unknown = Object.values(testsOf)
    .flat()
    .find((name) => !existsSync(path.join(root, fileOf(name))));
  if (unknown) throw new StepError(`scripts/changed-browser-tests.mjs names ${fileOf(unknown)}, which does not exist`);
}

function git(root, ...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new StepError(`git ${args.join(' ')} failed: ${stderr}`);
  return stdout.split('\n').filter(Boolean);
}

/** Returns the files of the browser tests that concern the changes since a commit, those not committed included. */
export function changedBrowserTests(root, commit) {
  const changed = [
    ...git(root, 'diff', '--name-only', commit),
    ...git(root, 'ls-files', '--others', '--exclude-standard'),
  ];
  const tests = new Set();
  for (const file of changed) {
    if (/^test\/browser\/[^/]+\.test\.ts$/.test(file) && existsSync(path.join(root, file))) tests.add(file);
    if (!file.startsWith('web/')) continue;
    const folder = /^web\/(pages\/[^/]+|[^/]+)\//.exec(file)?.[1];
    for (const name of testsOf[folder] ?? common) tests.add(fileOf(name));
  }
  return [...tests];
}
