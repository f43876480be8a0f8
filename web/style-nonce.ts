/**
 * Returns the nonce with which this document's policy lets style elements be added. Mantine asks for it; the library
 * that keeps the page behind a dialog from scrolling looks for the name that bundlers give it.
 */
export function readStyleNonce(): string {
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.nonce ?? '';
  Object.assign(globalThis, { __webpack_nonce__: nonce });
  return nonce;
}
