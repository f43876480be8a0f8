const shownMs = 1500;

/** Gives every block of code a button that copies it, where the browser lets pages write to the clipboard. */
export function addCopyButtons(): void {
  // Undefined on pages that were not loaded over HTTPS or from this computer.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (!clipboard) return;
  for (const block of document.querySelectorAll('pre')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', () => {
      void clipboard.writeText(block.querySelector('code')?.textContent ?? '').then(() => {
        button.textContent = 'Copied';
        setTimeout(() => {
          button.textContent = 'Copy';
        }, shownMs);
      });
    });
    const frame = document.createElement('div');
    frame.className = 'code';
    block.replaceWith(frame);
    frame.append(block, button);
  }
}
