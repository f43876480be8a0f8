import classes from './path-text.module.css';

/** Names from the top of a tree in one line. If they do not fit, the beginning is cut off, since the end says where. */
export function PathText({ names }: { names: readonly string[] }) {
  const text = names.join(' › ');
  return (
    <span className={classes['path']} title={text}>
      <bdi dir="auto" translate="no">
        {text}
      </bdi>
    </span>
  );
}
