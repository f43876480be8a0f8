/**
 * Returns the nonce with which this document's policy lets style elements be added. Mantine calls this function. The
 * library that keeps the page behind a dialog from scrolling reads the nonce from the variable that bundlers use.
 */
export function readStyleNonce(): string {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.nonce ?? '';
  Object.assign(globalThis, { __webpack_nonce__: nonce });
  return nonce;
}
