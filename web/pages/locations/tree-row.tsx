import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Alert, Anchor, type AnchorProps, Badge, Menu, Text } from '@mantine/core';
import { IconArrowsMove, IconChevronRight, IconDots, IconFolderPlus, IconPencil, IconTrash } from '@tabler/icons-react';
import { replaceEqualDeep } from '@tanstack/react-query';
import { createLink } from '@tanstack/react-router';
import { type DragEvent, memo, type ReactNode, type Ref, useState } from 'react';
import { numberText, quantity } from '../../ui/quantity.js';
import { UserText } from '../../ui/user-text.js';
import classes from './tree.module.css';
import { type TreeNode, useTree } from './tree-context.js';

type RowAnchorProps = Omit<AnchorProps, 'href'> & { children?: ReactNode; ref?: Ref<HTMLAnchorElement> };

/** The keyboard focuses the row, where Enter follows the link. Dragging moves the row, not the link. */
function RowAnchor(props: RowAnchorProps) {
  return <Anchor {...props} tabIndex={-1} draggable={false} />;
}

const RowLink = createLink(RowAnchor);

type RowProps = { node: TreeNode; level: number; position: number; siblings: number; isFirst: boolean };

/** `children` are the sublocations, which are shown once the location is opened. */
type TreeRowProps = RowProps & { children: ReactNode };

/** A location in the tree, with its children once it is opened. */
export function TreeRow({ children, ...props }: TreeRowProps) {
  const { node } = props;
  const tree = useTree();
  const isOpen = node.children_count > 0 && tree.openIds.has(node.id);
  return (
    <li role="none" data-branch={node.name}>
      <Row {...props} isOpen={isOpen} />
      {isOpen && (
        <ul role="group" className={classes['group']}>
          {children}
        </ul>
      )}
    </li>
  );
}

function Row({ node, level, position, siblings, isFirst, isOpen }: RowProps & { isOpen: boolean }) {
  const tree = useTree();
  const [isOver, setOver] = useState(false);
  const hasChildren = node.children_count > 0;
  const isCurrent = tree.currentId === node.id;
  const isReached = isCurrent || (tree.currentId === null && level === 1 && isFirst);
  const refused = tree.refused?.id === node.id ? tree.refused : null;
  const canTake = tree.dragged !== null && tree.dragged.id !== node.id;

  function over(event: DragEvent): void {
    if (!canTake) return;
    event.preventDefault();
    setOver(true);
  }

  return (
    <div
      role="treeitem"
      className={classes['row']}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-selected={isCurrent}
      aria-expanded={hasChildren ? isOpen : undefined}
      tabIndex={isReached ? 0 : -1}
      data-id={node.id}
      data-name={node.name}
      data-drop={isOver && canTake}
      data-dragged={tree.dragged?.id === node.id}
      draggable={tree.canChange}
      onFocus={() => tree.setCurrent(node.id)}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', node.name);
        tree.setDragged(node);
      }}
      onDragEnd={() => tree.setDragged(null)}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (canTake) tree.drop(node.id);
      }}
    >
      {hasChildren ? (
        // Keyboards use the arrows, and the row itself has the state for screen readers.
        <span
          className={classes['chevron']}
          data-open={isOpen}
          data-testid="chevron"
          aria-hidden
          onClick={() => tree.setOpen(node.id, !isOpen)}
        >
          <IconChevronRight size={18} />
        </span>
      ) : (
        <span className={classes['chevron']} />
      )}
      <RowName id={node.id} name={node.name} externalKey={node.external_key} />
      <span className={classes['counts']}>
        {!node.is_active && <Badge color="gray" mr={6}>{t`Inactive`}</Badge>}
        <Counts node={node} />
      </span>
      {tree.canChange && <RowMenu node={node} isReached={isReached} />}
      {refused && (
        <Alert
          role="alert"
          color="red"
          flex="1 1 100%"
          title={refused.title}
          withCloseButton
          closeButtonLabel={t`Close`}
          onClose={tree.forgetRefused}
        >
          {refused.detail}
        </Alert>
      )}
    </div>
  );
}

/** The counts of a row change with every move; its name and its menu are not rendered again for them. */
const RowName = memo(function RowName({ id, name, externalKey }: { id: number; name: string; externalKey: string }) {
  return (
    <div className={classes['name']}>
      <RowLink to="/locations/$locationId" params={{ locationId: String(id) }} fw={550} c="inherit">
        <UserText lines={1}>{name}</UserText>
      </RowLink>
      <Text size="xs" c="dimmed" component="div">
        <UserText lines={1}>{externalKey}</UserText>
      </Text>
    </div>
  );
});

function Counts({ node: { assets_here, assets_below } }: { node: TreeNode }) {
  return (
    <span title={t`Assets, including those in sublocations`}>
      {assets_below > assets_here
        ? t`${numberText(assets_below)} (${numberText(assets_here)} directly)`
        : quantity(assets_here, 'asset')}
    </span>
  );
}

type RowMenuProps = { node: TreeNode; isReached: boolean };

const RowMenu = memo(function RowMenu({ node, isReached }: RowMenuProps) {
  const { act } = useTree();
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon aria-label={t`Actions for ${node.name}`} tabIndex={isReached ? 0 : -1} size={32}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => act('rename', node)}>
          <Trans>Rename</Trans>
        </Menu.Item>
        <Menu.Item leftSection={<IconArrowsMove size={16} aria-hidden />} onClick={() => act('move', node)}>
          <Trans>Move to…</Trans>
        </Menu.Item>
        <Menu.Item leftSection={<IconFolderPlus size={16} aria-hidden />} onClick={() => act('add', node)}>
          <Trans>Add sublocation</Trans>
        </Menu.Item>
        <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => act('delete', node)}>
          <Trans>Delete</Trans>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}, isSameMenu);

/** Returns whether two nodes are equal in everything that the actions need, which excludes the counts of assets. */
function isSameMenu(before: RowMenuProps, after: RowMenuProps): boolean {
  const { assets_here, assets_below } = after.node;
  const recounted = { ...before.node, assets_here, assets_below };
  return before.isReached === after.isReached && replaceEqualDeep(recounted, after.node) === recounted;
}
