import { t } from '@lingui/core/macro';
import { Box, NavLink, UnstyledButton } from '@mantine/core';
import { expressionOf } from './expressions.js';

/** How many items of an object or a list are shown; the fields of a message usually repeat after a few items. */
const shownMax = 30;
const openedLevels = 3;

type Path = readonly (string | number)[];

type MessageTreeProps = {
  message: unknown;
  /** Called with the expression of the chosen value. */
  onChoose: (expression: string) => void;
};

/** A message as a tree; choosing a value gives its expression. */
export function MessageTree({ message, onChoose }: MessageTreeProps) {
  return (
    <Box role="group" aria-label={t`Fields of the message`}>
      <Branch value={message} path={[]} onChoose={onChoose} />
    </Box>
  );
}

function Branch({ value, path, onChoose }: { value: unknown; path: Path; onChoose: (expression: string) => void }) {
  if (typeof value !== 'object' || value === null) return null;
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? value.slice(0, shownMax).map((item: unknown, index) => [index, item])
    : Object.entries(value).slice(0, shownMax);
  return entries.map(([key, inner]) => {
    const innerPath = [...path, key];
    const name = typeof key === 'number' ? `[${key}]` : key;
    if (typeof inner === 'object' && inner !== null) {
      return (
        <NavLink key={key} component="button" label={name} defaultOpened={path.length < openedLevels} py={2}>
          <Branch value={inner} path={innerPath} onChoose={onChoose} />
        </NavLink>
      );
    }
    return (
      <UnstyledButton
        key={key}
        display="block"
        fz="sm"
        px="sm"
        py={2}
        onClick={() => onChoose(expressionOf(innerPath))}
      >
        {name}: <bdi>{JSON.stringify(inner)}</bdi>
      </UnstyledButton>
    );
  });
}
