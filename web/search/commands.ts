import { t } from '@lingui/core/macro';
import type { Role } from '../session/context.js';
import type { Option } from './options.js';
import { foldText } from '../ui/fold-text.js';

type Command = { label: string; path: string; needs: Role; words?: string };

/** Pages and tasks, in the order in which they are offered. `words` are synonyms that people may search for. */
const commands: readonly Command[] = [
  { label: t`New asset`, path: '/assets/new', needs: 'manager', words: 'create add' },
  { label: t`Import`, path: '/import', needs: 'manager', words: 'csv upload file' },
  { label: t`Print labels`, path: '/labels', needs: 'viewer', words: 'qr barcode' },
  { label: t`Scan`, path: '/scan', needs: 'operator', words: 'handheld' },
  { label: t`New reader`, path: '/readers/new', needs: 'admin', words: 'create add connect' },
  { label: t`New alert rule`, path: '/alerts/rules/new', needs: 'manager', words: 'create add notify' },
  { label: t`New API key`, path: '/settings/api-keys/new', needs: 'admin', words: 'create add token' },
  { label: t`Home`, path: '/', needs: 'viewer', words: 'dashboard' },
  { label: t`Assets`, path: '/assets', needs: 'viewer' },
  { label: t`Locations`, path: '/locations', needs: 'viewer' },
  { label: t`Alerts`, path: '/alerts', needs: 'viewer' },
  { label: t`Alert rules`, path: '/alerts/rules', needs: 'manager' },
  { label: t`Webhooks`, path: '/alerts/webhooks', needs: 'admin' },
  { label: t`Readers`, path: '/readers', needs: 'viewer' },
  { label: t`Unknown tags`, path: '/unknown-tags', needs: 'manager' },
  { label: t`Activity`, path: '/activity', needs: 'manager', words: 'log history changes' },
  { label: t`Deleted`, path: '/deleted', needs: 'manager', words: 'trash restore undo bin' },
  { label: t`Settings`, path: '/settings', needs: 'manager', words: 'organization name email domain' },
  { label: t`Kinds of assets`, path: '/settings#kinds', needs: 'manager', words: 'category type icon color' },
  { label: t`Members`, path: '/settings#members', needs: 'admin', words: 'invite people users' },
  { label: t`API keys`, path: '/settings#api-keys', needs: 'admin', words: 'token' },
  { label: t`Account`, path: '/account', needs: 'viewer', words: 'profile password language' },
];

const shownMax = 5;

/**
 * Returns the commands that a person may use and that have all words of a text, in any order; the first ones for no
 * text.
 */
export function commandsFor(q: string, can: (needed: Role) => boolean): Option[] {
  const wanted = foldText(q).split(/\s+/);
  return commands
    .filter(({ label, words = '', needs }) => {
      const text = foldText(`${label} ${words}`);
      return can(needs) && wanted.every((word) => text.includes(word));
    })
    .slice(0, shownMax)
    .map(({ label, path }) => ({ key: `page-${path}`, label, detail: '', to: { kind: 'page', path } }));
}
