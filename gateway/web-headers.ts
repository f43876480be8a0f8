/** What a policy may allow beyond the rest; everything that is not named is closed. */
type PolicyOptions = {
  /** Of one answer: lets the component library put its style elements into the page. */
  nonce?: string;
  /** The barcode reader, for browsers without one of their own, is WebAssembly. */
  wasm: boolean;
};

/** Nothing from elsewhere, nothing inline, nothing in a frame. */
export function contentSecurityPolicy({ nonce, wasm }: PolicyOptions): string {
  return [
    "default-src 'none'",
    `script-src 'self'${wasm ? " 'wasm-unsafe-eval'" : ''}`,
    `style-src 'self'${nonce === undefined ? '' : ` 'nonce-${nonce}'`}`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "media-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** What a page may ask of the device: the camera, to read barcodes. Sound and the clipboard are left as browsers have them. */
const permissionsPolicy = [
  'camera=(self)',
  ...[
    'accelerometer',
    'display-capture',
    'geolocation',
    'gyroscope',
    'hid',
    'magnetometer',
    'microphone',
    'midi',
    'payment',
    'publickey-credentials-get',
    'serial',
    'usb',
    'xr-spatial-tracking',
  ].map((feature) => `${feature}=()`),
].join(', ');

/** The headers of every answer of the app, whatever it is, beside its policy. */
export function securityHeaders({ https }: { https: boolean }): Readonly<Record<string, string>> {
  return {
    'X-Content-Type-Options': 'nosniff',
    // For browsers that do not know `frame-ancestors`.
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'same-origin',
    'Permissions-Policy': permissionsPolicy,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    ...(https && { 'Strict-Transport-Security': 'max-age=31536000' }),
  };
}
