import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ReactNode, Ref } from 'react';

type Own<Props> = Omit<Props, 'href'> & { children?: ReactNode; ref?: Ref<HTMLAnchorElement> };

function PlainAnchor(props: Own<AnchorProps>) {
  return <Anchor {...props} />;
}

function PlainButton(props: Own<ButtonProps>) {
  return <Button component="a" {...props} />;
}

/** A link to a page of the app, whose address and parameters the compiler knows. */
export const AnchorLink = createLink(PlainAnchor);

/** As `AnchorLink`, looking like a button. */
export const ButtonLink = createLink(PlainButton);
