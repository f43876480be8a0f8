import type { Role } from '../session/context.js';
import type { Option } from './options.js';

type Command = { label: string; path: string; needs: Role; words?: string };

/** Pages and tasks, in the order in which they are offered. `words` are others that people may look for. */
const commands: readonly Command[] = [
  { label: 'New asset', path: '/assets/new', needs: 'manager', words: 'create add' },
  { label: 'Import', path: '/import', needs: 'manager', words: 'csv upload file' },
  { label: 'Print labels', path: '/labels', needs: 'viewer', words: 'qr barcode' },
  { label: 'Scan', path: '/scan', needs: 'operator', words: 'handheld' },
  { label: 'New reader', path: '/readers/new', needs: 'admin', words: 'create add connect' },
  { label: 'New alert rule', path: '/alerts/rules/new', needs: 'manager', words: 'create add notify' },
  { label: 'New API key', path: '/account/api-keys/new', needs: 'admin', words: 'create add token' },
  { label: 'Home', path: '/', needs: 'viewer', words: 'dashboard' },
  { label: 'Assets', path: '/assets', needs: 'viewer' },
  { label: 'Locations', path: '/locations', needs: 'viewer' },
  { label: 'Alerts', path: '/alerts', needs: 'viewer' },
  { label: 'Alert rules', path: '/alerts/rules', needs: 'manager' },
  { label: 'Webhooks', path: '/alerts/webhooks', needs: 'admin' },
  { label: 'Readers', path: '/readers', needs: 'viewer' },
  { label: 'Unknown tags', path: '/unknown-tags', needs: 'manager' },
  { label: 'Activity', path: '/activity', needs: 'manager', words: 'log history changes' },
  { label: 'Members', path: '/account/members', needs: 'admin', words: 'invite people users' },
  { label: 'API keys', path: '/account/api-keys', needs: 'admin', words: 'token' },
  { label: 'Account', path: '/account', needs: 'viewer', words: 'profile password settings' },
];

const shownMax = 5;

/** The commands that a person may use and that have all words of a text, in any order; the first ones for no text. */
export function commandsFor(q: string, can: (needed: Role) => boolean): Option[] {
  const wanted = q.toLowerCase().split(/\s+/);
  return commands
    .filter(({ label, words = '', needs }) => {
      const text = `${label} ${words}`.toLowerCase();
      return can(needs) && wanted.every((word) => text.includes(word));
    })
    .slice(0, shownMax)
    .map(({ label, path }) => ({ key: `page-${path}`, label, detail: '', to: { kind: 'page', path } }));
}
