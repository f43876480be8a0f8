import { useEffect, useState } from 'react';

/**
 * Returns the id of the section that is being read: the last section that begins in or above the upper third of the
 * window.
 */
export function useCurrentSection(ids: readonly string[]): string | undefined {
  const [section, setSection] = useState<string>();
  useEffect(() => {
    function look(): void {
      const line = window.innerHeight / 3;
      setSection(ids.findLast((id) => (document.getElementById(id)?.getBoundingClientRect().top ?? line + 1) <= line));
    }
    look();
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, [ids]);
  return section;
}

/** Scrolls to the section in the address, which did not exist yet when the browser looked for it. */
export function useStartingSection(): void {
  useEffect(() => {
    document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  }, []);
}
