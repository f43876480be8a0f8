export const deliveryNames = { pending: 'Waiting', delivered: 'Delivered', failed: 'Failed' } as const;
export const deliveryColors = { pending: 'blue', delivered: 'green', failed: 'red' } as const;
