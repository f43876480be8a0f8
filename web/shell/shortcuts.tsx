import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useSession } from '../session/context.js';
import { entriesFor } from './navigation.js';
import { isScanning, isTyping } from './single-keys.js';

/** The letter of a page has to follow within this time after `g`. */
const chordMs = 1500;
/** A scanner presses its second key earlier than this, and its keys are not shortcuts. */
const scannerMs = 100;

const modifiers = new Set(['Shift', 'Control', 'Alt', 'Meta', 'CapsLock']);

/**
 * Handles single keys outside of fields and dialogs: `g` and a letter opens a page, `n` creates, `j` and `k` move
 * through rows.
 */
export function Shortcuts({ onHelp }: { onHelp: () => void }) {
  const router = useRouter();
  const { can } = useSession();
  useEffect(() => {
    let chordAt = Number.NEGATIVE_INFINITY;
    let waiting: { timer: ReturnType<typeof setTimeout>; releases: number } | undefined;
    const actions: Record<string, () => void> = {
      '?': onHelp,
      n: () => document.querySelector<HTMLElement>('main [aria-keyshortcuts="n"]')?.click(),
      j: () => walk(1),
      k: () => walk(-1),
    };

    function cancel(): void {
      clearTimeout(waiting?.timer);
      waiting = undefined;
    }

    function onKeyDown(event: KeyboardEvent): void {
      if (modifiers.has(event.key)) return;
      cancel();
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (isScanning(router.state.location.pathname) || document.querySelector('[aria-modal="true"]')) return;
      const key = event.key.toLowerCase();
      const isChord = event.timeStamp - chordAt < chordMs;
      chordAt = key === 'g' && !isChord ? event.timeStamp : Number.NEGATIVE_INFINITY;
      const page = isChord && entriesFor(can).find(({ shortcut }) => shortcut === key);
      const action = actions[key];
      if (page) void router.navigate({ to: page.to });
      else if (!isChord && action) {
        const act = () => {
          waiting = undefined;
          action();
        };
        waiting = { timer: setTimeout(act, scannerMs), releases: 0 };
      }
    }

    /** The wedge handler hides the other keys of a scan from pages, but not the release of these keys. */
    function onKeyUp({ key }: KeyboardEvent): void {
      if (!waiting || modifiers.has(key)) return;
      waiting.releases += 1;
      if (waiting.releases > 1) cancel();
    }

    document.addEventListener('keydown', onKeyDown);
    document.addEventListener('keyup', onKeyUp);
    return () => {
      cancel();
      document.removeEventListener('keydown', onKeyDown);
      document.removeEventListener('keyup', onKeyUp);
    };
  }, [router, can, onHelp]);
  return null;
}

/** Moves the focus to the link of another row of the page's first table: Enter opens it. */
function walk(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')];
  const here = rows.findIndex((row) => row.contains(document.activeElement));
  const row = rows[here === -1 ? (step === 1 ? 0 : rows.length - 1) : here + step];
  const target = row?.querySelector<HTMLElement>('a[href]') ?? row?.querySelector<HTMLElement>('button, input');
  target?.focus();
}
