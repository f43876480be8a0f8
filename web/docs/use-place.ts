import { useEffect, useState } from 'react';

/** The id of the section that the reader is at: the last one that begins above the upper third of the window. */
export function usePlace(ids: readonly string[]): string | undefined {
  const [place, setPlace] = useState<string>();
  useEffect(() => {
    function look(): void {
      const line = window.innerHeight / 3;
      setPlace(ids.findLast((id) => (document.getElementById(id)?.getBoundingClientRect().top ?? line + 1) <= line));
    }
    look();
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, [ids]);
  return place;
}

/** Goes to what the address names, which was not there yet when the browser looked for it. */
export function useStartingPlace(): void {
  useEffect(() => {
    document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  }, []);
}
