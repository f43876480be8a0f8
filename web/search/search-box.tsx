import { t } from '@lingui/core/macro';
import { ActionIcon, Kbd, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { Suspense, useCallback, useEffect, useState } from 'react';
import classes from './search-box.module.css';
import { isScanning, isTyping, useSingleKeys } from '../shell/single-keys.js';
import { lazyPart } from '../ui/lazy-part.js';

const loadPalette = () => import('./palette.js');
const Palette = lazyPart(loadPalette, 'Palette');

/** Opens the search on every page: a button, `/`, or Ctrl and K. The search is loaded on first use. */
export function SearchBox() {
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const [hasSingleKeys] = useSingleKeys();
  const router = useRouter();

  const open = useCallback(() => {
    setWasOpened(true);
    setOpen(true);
  }, []);

  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.altKey || isTyping(event.target)) return;
      const isChord = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
      // Scanners type what they read, and some codes begin with a slash.
      const isSlash =
        event.key === '/' &&
        hasSingleKeys &&
        !event.ctrlKey &&
        !event.metaKey &&
        !isScanning(router.state.location.pathname);
      if (!isChord && !isSlash) return;
      event.preventDefault();
      open();
    }
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [router, open, hasSingleKeys]);

  return (
    <>
      <UnstyledButton
        className={classes['box']}
        onPointerEnter={() => void loadPalette().catch(() => {})}
        onClick={open}
        aria-keyshortcuts={hasSingleKeys ? '/ Control+K' : 'Control+K'}
        aria-haspopup="dialog"
      >
        <IconSearch size={16} aria-hidden />
        <span>{t`Search`}</span>
        <Kbd size="xs" aria-hidden>
          /
        </Kbd>
      </UnstyledButton>
      <ActionIcon
        className={classes['icon']}
        size={36}
        onPointerEnter={() => void loadPalette().catch(() => {})}
        onClick={open}
        aria-label={t`Search`}
        aria-haspopup="dialog"
      >
        <IconSearch size={20} aria-hidden />
      </ActionIcon>
      {wasOpened && (
        <Suspense>
          <Palette isOpen={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
