import { Code, Text, type TextProps } from '@mantine/core';
import { Fragment } from 'react';

/** Text in the format of descriptions: paragraphs, **strong** words and `code`. */
export function Prose({ children, ...props }: TextProps & { children: string }) {
  return children.split(/\n{2,}/).map((paragraph) => (
    <Text key={paragraph} component="p" my={0} {...props}>
      <Inline>{paragraph}</Inline>
    </Text>
  ));
}

export function Inline({ children }: { children: string }) {
  return children.split(/(\*\*[^*]+\*\*|`[^`]+`)/).map((part, index) => (
    // The parts of one text are never reordered.
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={index}>{styled(part)}</Fragment>
  ));
}

function styled(part: string) {
  if (part.startsWith('**')) return <strong>{part.slice(2, -2)}</strong>;
  if (part.startsWith('`')) return <Code>{part.slice(1, -1)}</Code>;
  return part;
}
