import { type FormEvent, type ReactNode, useId, useState } from 'react';
import type { NewConnection, NewSkillsPolicy, RemoteAddress } from '../../shared/connection';
import { parseAddress } from '../../shared/connection';
import { words } from '../words';
import { Fold } from './path-list';

/** What is typed, as it is. */
interface Typed {
  readonly address: string;
  readonly name: string;
  readonly identityFile: string;
  readonly remoteHome: string;
  readonly profile: string;
  readonly newSkills: NewSkillsPolicy;
}

const nothingTyped: Typed = { address: '', name: '', identityFile: '', remoteHome: '', profile: '', newSkills: 'bring' };

/** An address, or an alias where there is no user in it; null when it is neither. */
export function readAddress(text: string): RemoteAddress | null {
  const trimmed = text.trim();
  if (trimmed.includes('@')) return parseAddress(trimmed);
  return trimmed === '' || trimmed.startsWith('-') || /[\s:/*?!,]/.test(trimmed) ? null : { kind: 'alias', alias: trimmed };
}

/** What is to be added; null while the address is none. What was left empty has its default. */
export function readForm(typed: Typed): NewConnection | null {
  const address = readAddress(typed.address);
  if (address === null) return null;
  const name = typed.name.trim() || (address.kind === 'alias' ? address.alias : address.host);
  const given = (key: 'identityFile' | 'remoteHome' | 'profile') => (typed[key].trim() === '' ? {} : { [key]: typed[key].trim() });
  return { name, address, newSkills: typed.newSkills, ...given('identityFile'), ...given('remoteHome'), ...given('profile') };
}

interface FieldProps {
  readonly label: string;
  readonly hint: ReactNode;
  readonly value: string;
  readonly invalid?: boolean;
  readonly onType: (value: string) => void;
}

function Field({ label, hint, value, invalid = false, onType }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="text"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={value}
        aria-invalid={invalid}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onType(event.target.value)}
      />
      <p id={`${id}-hint`} className={invalid ? 'held' : 'faint'}>
        {hint}
      </p>
    </div>
  );
}

interface MoreProps {
  readonly typed: Typed;
  readonly onType: (part: Partial<Typed>) => void;
}

function More({ typed, onType }: MoreProps) {
  const said = words.add;
  return (
    <>
      <Field
        label={said.identity}
        hint={said.identityHint}
        value={typed.identityFile}
        onType={(identityFile) => onType({ identityFile })}
      />
      <Field label={said.remoteHome} hint={said.remoteHomeHint} value={typed.remoteHome} onType={(remoteHome) => onType({ remoteHome })} />
      <Field label={said.profile} hint={said.profileHint} value={typed.profile} onType={(profile) => onType({ profile })} />
      <fieldset className="keep">
        <legend>{said.newSkills}</legend>
        {(['bring', 'review'] as const).map((policy) => (
          <label key={policy}>
            <input type="radio" name="new-skills" checked={typed.newSkills === policy} onChange={() => onType({ newSkills: policy })} />
            {said[policy]}
          </label>
        ))}
      </fieldset>
    </>
  );
}

/** Asks for a machine by its address or alias. */
export function AddForm({ busy, onAdd }: { readonly busy: boolean; readonly onAdd: (wanted: NewConnection) => void }) {
  const [typed, setTyped] = useState(nothingTyped);
  const [tried, setTried] = useState(false);
  const type = (part: Partial<Typed>) => setTyped((before) => ({ ...before, ...part }));
  const said = words.add;
  const wanted = readForm(typed);
  const invalid = tried && wanted === null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (wanted !== null) onAdd(wanted);
  };
  return (
    <form className="card" onSubmit={submit}>
      <Field
        label={said.address}
        hint={<span role={invalid ? 'alert' : undefined}>{invalid ? said.addressBad : said.addressHint}</span>}
        value={typed.address}
        invalid={invalid}
        onType={(address) => type({ address })}
      />
      <Field label={said.name} hint={said.nameHint} value={typed.name} onType={(name) => type({ name })} />
      <Fold summary={said.more}>{() => <More typed={typed} onType={type} />}</Fold>
      <div className="actions">
        <button type="submit" className="primary" disabled={busy}>
          {said.test}
        </button>
        <span className="faint grow">{said.safe}</span>
      </div>
    </form>
  );
}
