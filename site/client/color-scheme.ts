/** Follows the system's color scheme while the page is open, unless light or dark is chosen in the app. */
export function followColorScheme(): void {
  let chosen: string | null = null;
  try {
    chosen = localStorage.getItem('mantine-color-scheme-value');
  } catch {
    // Storage is not available, so nothing can be chosen.
  }
  if (chosen === 'light' || chosen === 'dark') return;
  const isDark = matchMedia('(prefers-color-scheme: dark)');
  isDark.addEventListener('change', () => {
    document.documentElement.setAttribute('data-mantine-color-scheme', isDark.matches ? 'dark' : 'light');
  });
}
