import { type ReactNode, useId, useState } from 'react';
import type { Bridge, WireError } from '../../shared/contract';
import { type Language, languages, type Settings, type SettingsChange } from '../../shared/settings';
import { canNotify, isDesktop } from '../bridge';
import { BackLink } from '../components/back-link';
import { ErrorCard } from '../components/error-card';
import { showDuration, words } from '../words';

/** Each language in its own words: whoever cannot read the window finds the way out. */
const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  fr: 'Français',
  'pt-BR': 'Português (Brasil)',
  'zh-CN': '简体中文',
};

/** Minutes that are offered; one that was set elsewhere stays in the list. */
const idleChoices = [15, 30, 60, 240] as const;

interface ChoiceProps<T> {
  readonly label: string;
  readonly hint?: string;
  readonly value: T;
  readonly options: readonly (readonly [T, string])[];
  readonly onChoose: (value: T) => void;
}

/** One choice among several. */
function Choice<T extends string | number | boolean | null>({ label, hint, value, options, onChoose }: ChoiceProps<T>) {
  const id = useId();
  return (
    <div className="setting">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={String(value)}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => {
          const chosen = options[event.target.selectedIndex];
          if (chosen !== undefined) onChoose(chosen[0]);
        }}
      >
        {options.map(([option, name]) => (
          <option key={String(option)} value={String(option)}>
            {name}
          </option>
        ))}
      </select>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="faint">
          {hint}
        </p>
      )}
    </div>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly hint?: string;
  readonly on: boolean;
  readonly onSwitch: (on: boolean) => void;
}

function Switch({ label, hint, on, onSwitch }: SwitchProps) {
  const id = useId();
  return (
    <div className="setting">
      <label className="check">
        <input
          type="checkbox"
          checked={on}
          aria-describedby={hint === undefined ? undefined : id}
          onChange={(event) => onSwitch(event.target.checked)}
        />
        <span>{label}</span>
      </label>
      {hint !== undefined && (
        <p id={id} className="faint">
          {hint}
        </p>
      )}
    </div>
  );
}

function DesktopSettings({ settings, change }: { readonly settings: Settings; readonly change: (change: SettingsChange) => void }) {
  const said = words.settings;
  const { idleEndMinutes: idle } = settings;
  const minutes = idle === null || idleChoices.some((one) => one === idle) ? idleChoices : [...idleChoices, idle].sort((a, b) => a - b);
  return (
    <>
      {canNotify() ? (
        <Switch
          label={said.notifications}
          hint={said.notificationsHint}
          on={settings.notifications}
          onSwitch={(notifications) => change({ notifications })}
        />
      ) : (
        <p className="setting">{said.notificationsNone}</p>
      )}
      <Switch label={said.launchAtLogin} on={settings.launchAtLogin} onSwitch={(launchAtLogin) => change({ launchAtLogin })} />
      <Choice
        label={said.closing}
        value={settings.closeToTray}
        options={[
          [null, said.closingAsk],
          [true, said.closingTray],
          [false, said.closingQuit],
        ]}
        onChoose={(closeToTray) => change({ closeToTray })}
      />
      <Choice
        label={said.idle}
        hint={said.idleHint}
        value={idle}
        options={[[null, said.idleNever], ...minutes.map((one) => [one, said.idleAfter(showDuration(one * 60_000))] as const)]}
        onChoose={(idleEndMinutes) => change({ idleEndMinutes })}
      />
      <Switch
        label={said.updates}
        hint={said.updatesHint}
        on={settings.checkForUpdates}
        onSwitch={(checkForUpdates) => change({ checkForUpdates })}
      />
    </>
  );
}

interface Props {
  readonly bridge: Bridge;
  /** Null until they are read. */
  readonly settings: Settings | null;
  readonly children?: ReactNode;
}

/** What holds for the whole app. Each change is kept at once. */
export function SettingsView({ bridge, settings, children }: Props) {
  const [problem, setProblem] = useState<WireError | null>(null);
  const said = words.settings;
  const change = async (wanted: SettingsChange) => {
    const reply = await bridge.call('settings.change', wanted);
    setProblem(reply.ok ? null : reply.error);
  };
  return (
    <>
      <header>
        <BackLink />
        <h1 tabIndex={-1}>{said.title}</h1>
      </header>
      <main className="scroller">
        {children}
        {problem && <ErrorCard title={words.failedTitle} error={problem} />}
        {settings === null ? (
          <p className="faint">{said.loading}</p>
        ) : (
          <div className="card settings">
            <Choice
              label={said.language}
              value={settings.language}
              options={[[null, said.systemLanguage], ...languages.map((one) => [one, languageNames[one]] as const)]}
              onChoose={(language) => void change({ language })}
            />
            <Switch label={said.pause} hint={said.pauseHint} on={settings.paused} onSwitch={(paused) => void change({ paused })} />
            {isDesktop() ? (
              <DesktopSettings settings={settings} change={(wanted) => void change(wanted)} />
            ) : (
              <p className="faint setting">{said.onlyDesktop}</p>
            )}
          </div>
        )}
      </main>
      <footer>
        <span className="grow">{said.kept}</span>
      </footer>
    </>
  );
}
