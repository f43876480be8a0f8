import { secureOnly } from './secure-context.js';

/** Copies a text; rejects if the browser does not allow it. */
export async function copyText(text: string): Promise<void> {
  if (secureOnly.clipboard) await secureOnly.clipboard.writeText(text);
  else copySelected(text);
}

/** Copies over plain HTTP, where the Clipboard API is missing. */
function copySelected(text: string): void {
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.className = 'copied-text';
  // Within a dialog, a field outside of it would lose the focus at once.
  const place = document.activeElement?.parentElement ?? document.body;
  place.append(field);
  field.select();
  // oxlint-disable-next-line typescript/no-deprecated -- the only way to copy over plain HTTP
  const isCopied = document.execCommand('copy');
  field.remove();
  if (!isCopied) throw new Error('The browser did not copy the text');
}
