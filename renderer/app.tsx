import { useEffect, useRef } from 'react';
import type { Bridge, ConnectionView as View } from '../shared/contract';
import type { Route } from '../shared/route';
import { useApplication, useNow } from './application';
import type { Commands } from './commands';
import { BackLink } from './components/back-link';
import { ErrorCard } from './components/error-card';
import { PromptDialog } from './components/prompt-dialog';
import { visibleName } from './format';
import { useNavigation } from './navigation';
import { type AppState, factsOf } from './state';
import { AddView } from './views/add';
import { ConnectionView } from './views/connection';
import { ConnectionsView } from './views/connections';
import { type HistoryPlace, HistoryView, wholeHistory } from './views/history';
import { InspectionView } from './views/inspection';
import { RunView } from './views/run';
import { SettingsView } from './views/settings';
import { words } from './words';

function Gone() {
  return (
    <>
      <header>
        <BackLink />
        <h1 tabIndex={-1}>{words.appName}</h1>
      </header>
      <main>
        <p>{words.gone}</p>
      </main>
    </>
  );
}

/** The connection that a screen is about; null when it is about all of them. */
function subjectOf(route: Route): string | null {
  return route.kind === 'connection' || route.kind === 'inspection' || route.kind === 'history' ? route.id : null;
}

/** Changes whenever a run ended, whoever asked for it. */
function lastRunOf(state: AppState, view: View): string {
  return `${view.lastRun?.id} ${factsOf(state, view.id).ended?.id}`;
}

function titleOf(view: View | null): string {
  return view === null ? words.appName : `${visibleName(view.name)} · ${words.appName}`;
}

interface ScreenProps {
  readonly bridge: Bridge;
  readonly route: Route;
  readonly parent: Route;
  readonly state: AppState;
  readonly commands: Commands;
  /** The connection the screen is about. */
  readonly view: View | null;
}

function Screen({ bridge, route, parent, state, commands, view }: ScreenProps) {
  const now = useNow();
  const places = useRef(new Map<string | null, HistoryPlace>());
  const problem = state.problem && <ErrorCard title={words.windowOffline} error={state.problem} />;
  switch (route.kind) {
    case 'add':
      return <AddView bridge={bridge} commands={commands} state={state} id={route.id} />;
    case 'settings':
      return (
        <SettingsView bridge={bridge} settings={state.settings}>
          {problem}
        </SettingsView>
      );
    case 'history': {
      const place = places.current.get(route.id) ?? { ...wholeHistory };
      places.current.set(route.id, place);
      const lastRun = (state.status?.connections ?? []).map((one) => lastRunOf(state, one)).join(' ');
      return (
        <HistoryView key={route.id} {...{ bridge, connection: view, now, parent, lastRun, place }}>
          {problem}
        </HistoryView>
      );
    }
    case 'run':
      return (
        <RunView key={route.id} {...{ bridge, id: route.id, now, parent }}>
          {problem}
        </RunView>
      );
    default:
      if (route.kind === 'connections' || state.status === null) return <ConnectionsView {...{ bridge, commands, state, now }} />;
  }
  if (view === null) return <Gone />;
  return route.kind === 'inspection' ? (
    <InspectionView {...{ bridge, view, calls: commands.restore, now, parent, lastRun: lastRunOf(state, view) }}>{problem}</InspectionView>
  ) : (
    <ConnectionView key={view.id} {...{ bridge, view, facts: factsOf(state, view.id), commands, now }}>
      {problem}
    </ConnectionView>
  );
}

/** The window: one of its screens, by the address, and above it what only a person can answer. */
export function App({ bridge }: { readonly bridge: Bridge }) {
  const { route, parent } = useNavigation();
  const subject = subjectOf(route);
  const { state, commands } = useApplication(bridge, subject);
  const view = state.status?.connections.find((one) => one.id === subject) ?? null;
  const title = titleOf(view);
  useEffect(() => {
    document.title = title;
  }, [title]);
  const [prompt] = state.prompts;

  // a language that was chosen comes with the settings: nothing is drawn in another one first
  if (state.settings === null && state.problem === null) return null;
  return (
    <>
      <Screen {...{ bridge, route, parent, state, commands, view }} />
      {prompt && <PromptDialog key={prompt.id} bridge={bridge} prompt={prompt} />}
    </>
  );
}
