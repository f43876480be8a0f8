import { t } from '@lingui/core/macro';
import { Kbd, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import classes from './search-box.module.css';
import { isScanning, isTyping, useSingleKeys } from '../shell/single-keys.js';
import { lazyPart } from '../ui/lazy-part.js';

const loadPalette = () => import('./palette.js');
const Palette = lazyPart(loadPalette, 'Palette');

type SearchBoxProps = { isOpen: boolean; onOpen: () => void; onClose: () => void };

/** Opens the search on every page: a button, `/`, or Ctrl and K. On a phone the button is in the bar at the bottom. The search is loaded on first use. */
export function SearchBox({ isOpen, onOpen, onClose }: SearchBoxProps) {
  const [wasOpened, setWasOpened] = useState(false);
  const [hasSingleKeys] = useSingleKeys();
  const router = useRouter();
  if (isOpen && !wasOpened) setWasOpened(true);

  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.altKey || isTyping(event.target)) return;
      const isChord = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
      // Scanners type their codes, and some codes begin with a slash.
      const isSlash =
        event.key === '/' &&
        hasSingleKeys &&
        !event.ctrlKey &&
        !event.metaKey &&
        !isScanning(router.state.location.pathname);
      if (!isChord && !isSlash) return;
      event.preventDefault();
      onOpen();
    }
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [router, onOpen, hasSingleKeys]);

  return (
    <>
      <UnstyledButton
        className={classes['box']}
        onPointerEnter={() => void loadPalette().catch(() => {})}
        onClick={onOpen}
        aria-keyshortcuts={hasSingleKeys ? '/ Control+K' : 'Control+K'}
        aria-haspopup="dialog"
      >
        <IconSearch size={16} aria-hidden />
        <span>{t`Search`}</span>
        <Kbd size="xs" aria-hidden>
          /
        </Kbd>
      </UnstyledButton>
      {wasOpened && (
        <Suspense>
          <Palette isOpen={isOpen} onClose={onClose} />
        </Suspense>
      )}
    </>
  );
}
