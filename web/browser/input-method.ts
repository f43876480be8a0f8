const keysOfConversions = new Set(['Enter', 'Tab', 'Escape', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', ' ']);
/** The key code of a key that an input method handles. Safari reports the end of a conversion before its last key. */
const inputMethodKeyCode = 229;

/**
 * Leaves the keys with which people choose and end a conversion of an input method (Japanese, Chinese, Korean) to the
 * input method: the page does not receive them. Called before anything else listens to keys.
 */
export function ignoreConversionKeys(): void {
  window.addEventListener(
    'keydown',
    (event) => {
      // oxlint-disable-next-line typescript/no-deprecated -- `isComposing` is already false for the last key in Safari
      const isOfConversion = event.isComposing || event.keyCode === inputMethodKeyCode;
      if (isOfConversion && keysOfConversions.has(event.key)) event.stopImmediatePropagation();
    },
    { capture: true },
  );
}
