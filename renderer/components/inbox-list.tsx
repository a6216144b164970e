import type { InboxItem } from '../../shared/inbox';
import { words } from '../words';
import { Bytes, Literal, Moment } from './amounts';

/** What waits for a decision on one connection. */
export function InboxList({ items, now }: { readonly items: readonly InboxItem[]; readonly now: number }) {
  if (items.length === 0) return null;
  return (
    <section className="block">
      <h2>{words.inbox}</h2>
      <ul className="card list">
        {items.map((item) => (
          <li key={item.id}>
            <strong className="held">{words.inboxKinds[item.kind]}</strong>
            <Literal text={item.path} />
            <span className="faint wrap">{item.reason}</span>
            <span className="line faint">
              <Bytes value={item.bytes} />
              <Moment at={item.createdAt} now={now} />
            </span>
          </li>
        ))}
      </ul>
      <p className="faint">{words.inboxSafe}</p>
    </section>
  );
}
