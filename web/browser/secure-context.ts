type SecureOnly = Pick<Navigator, 'clipboard' | 'locks' | 'mediaDevices' | 'serviceWorker' | 'storage'>;

/**
 * What browsers offer only over HTTPS and at localhost. Elsewhere each of these is undefined, which the types of the
 * browser do not say; lint therefore rejects them on `navigator`.
 */
export const secureOnly: Partial<SecureOnly> = navigator;
