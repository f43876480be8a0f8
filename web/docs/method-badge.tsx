import { Badge } from '@mantine/core';
import classes from './docs.module.css';
import type { Method } from './openapi.js';

const colors: Readonly<Record<Method, string>> = {
  get: 'petrol',
  post: 'green',
  put: 'orange',
  patch: 'orange',
  delete: 'red',
};

export function MethodBadge({ method }: { method: Method }) {
  return (
    <Badge color={colors[method]} className={classes['method']}>
      {method.toUpperCase()}
    </Badge>
  );
}
