import { useEffect, useRef } from 'react';
import type { InboxItem as Item, Resolution } from '../../shared/inbox';
import type { GrowthAlert, RunReport } from '../../shared/run-report';
import type { OpenItem } from '../state';
import { showBytes, words } from '../words';
import { isAbout } from './alert-list';
import { Literal } from './amounts';
import { InboxItem } from './inbox-item';

interface Props {
  readonly items: readonly Item[];
  /** What the last teardown found unusual. */
  readonly alerts: readonly GrowthAlert[];
  readonly now: number;
  /** The connection's name. */
  readonly remote: string;
  readonly open: OpenItem | null;
  readonly busy: boolean;
  /** The decision that was carried out last, while this window looked on. */
  readonly decided: RunReport | null;
  readonly onOpen: (id: string) => void;
  readonly onClose: () => void;
  readonly onResolve: (id: string, choice: Resolution) => void;
}

/** Why a decision did not work for a path. */
function Failures({ report }: { readonly report: RunReport | null }) {
  const failed = report?.paths.filter(({ outcome }) => outcome === 'failed') ?? [];
  if (failed.length === 0) return null;
  return (
    <div className="card stop" role="alert">
      <strong>{words.failedTitle}</strong>
      {failed.map(({ path, reason }) => (
        <p key={path} className="wrap">
          <Literal text={path} />
          {words.colon}
          {reason}
        </p>
      ))}
    </div>
  );
}

/** Where the focus goes once a decision was carried out: to the item that took its place, or to the top when none is left. */
export function focusAfter(
  items: readonly { readonly id: string }[],
  decided: { readonly id: string; readonly index: number },
): string | null {
  if (items.some(({ id }) => id === decided.id)) return decided.id;
  return items[Math.min(decided.index, items.length - 1)]?.id ?? null;
}

function useFocusAfterDecision(items: readonly Item[], busy: boolean) {
  const decided = useRef<{ readonly id: string; readonly index: number } | null>(null);
  const wasBusy = useRef(false);
  useEffect(() => {
    const ended = wasBusy.current && !busy;
    wasBusy.current = busy;
    const at = decided.current;
    if (at === null || busy) return;
    const stays = items.some(({ id }) => id === at.id);
    // Answer and list arrive in either order: wait for the list, unless the decision failed and the item stays.
    if (stays && !ended) return;
    if (!stays) decided.current = null;
    const next = focusAfter(items, at);
    const target = next === null ? null : document.querySelector<HTMLElement>(`[data-item="${CSS.escape(next)}"]`);
    (target ?? document.querySelector<HTMLElement>('h1'))?.focus();
  }, [items, busy]);
  return (id: string) => {
    decided.current = { id, index: items.findIndex((item) => item.id === id) };
  };
}

/** What waits for a decision on one connection. */
export function InboxList({ items, alerts, now, remote, open, busy, decided, onOpen, onClose, onResolve }: Props) {
  const remember = useFocusAfterDecision(items, busy);
  const failures = <Failures report={decided?.kind === 'resolve' ? decided : null} />;
  if (items.length === 0) return failures;
  const stored = items.reduce((sum, item) => sum + (item.stored ? (item.remote?.bytes ?? 0) : 0), 0);
  return (
    <section className="block">
      <h2>{words.inbox}</h2>
      {failures}
      <ul className="card list">
        {items.map((item) => {
          const isOpen = open?.id === item.id;
          return (
            <InboxItem
              key={item.id}
              item={item}
              alert={alerts.find((alert) => isAbout(alert, item)) ?? null}
              now={now}
              remote={remote}
              open={isOpen}
              comparison={isOpen ? open.comparison : null}
              busy={busy}
              onToggle={() => (isOpen ? onClose() : onOpen(item.id))}
              onResolve={(choice) => {
                remember(item.id);
                onResolve(item.id, choice);
              }}
            />
          );
        })}
      </ul>
      <p className="faint">
        {words.inboxSafe} {stored > 0 && words.inboxKept(showBytes(stored))}
      </p>
    </section>
  );
}
