// Sets the colors before anything is painted; the app takes over from here with the same key.
(() => {
  let wish = 'auto';
  try {
    wish = localStorage.getItem('mantine-color-scheme-value') || 'auto';
  } catch {
    // Where nothing may be kept, the system decides.
  }
  const isDark = wish === 'dark' || (wish !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
})();
