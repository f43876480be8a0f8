import { useState } from 'react';

/**
 * Returns the text of a field that the address keeps, and a function that sets it. The address follows what is typed a moment later:
 * what it has from before does not replace what was typed since, but what something else puts there does, such as the back button.
 */
export function useTypedText(addressed: string): [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(addressed);
  const [known, setKnown] = useState(addressed);
  if (known !== addressed) {
    setKnown(addressed);
    if (text.trim() === known.trim()) setText(addressed);
  }
  return [text, setText];
}
