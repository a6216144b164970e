import { type FormEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import type { Bridge } from '../../shared/contract';
import type { Prompt, PromptField, PromptQuestion } from '../../shared/prompt';
import { visibleName } from '../format';
import { words } from '../words';
import { Literal } from './amounts';

/** The fields of a question, in our words where they are ours. */
function fieldsOf(question: PromptQuestion): readonly PromptField[] {
  switch (question.kind) {
    case 'agent':
      return [];
    case 'passphrase':
      return [{ text: words.prompt.passphrase, echo: false }];
    case 'password':
      return [{ text: words.prompt.password, echo: false }];
    case 'interactive':
      return question.fields;
  }
}

function Question({ prompt: { question, machine } }: { readonly prompt: Prompt }) {
  const said = words.prompt;
  const shown = visibleName(machine);
  switch (question.kind) {
    case 'agent':
      return (
        <>
          <p>{said.agent}</p>
          <p className="faint">{said.agentHint}</p>
        </>
      );
    case 'passphrase':
      return <p className="wrap">{said.passphraseFor(visibleName(question.file))}</p>;
    case 'password':
      return <p className="wrap">{said.passwordFor(shown)}</p>;
    case 'interactive':
      return (
        <>
          <p className="faint">{said.said(shown)}</p>
          {[question.title, question.instructions]
            .filter((text) => text !== '')
            .map((text) => (
              <blockquote key={text} className="wrap">
                {text.split('\n').map(visibleName).join('\n')}
              </blockquote>
            ))}
        </>
      );
  }
}

interface FieldsProps {
  readonly fields: readonly PromptField[];
  readonly answers: readonly string[];
  readonly onType: (index: number, answer: string) => void;
}

function Fields({ fields, answers, onType }: FieldsProps) {
  const id = useId();
  return fields.map(({ text, echo }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: fields never move
    <div key={index} className="field">
      <label htmlFor={`${id}-${index}`} className="wrap">
        {visibleName(text)}
      </label>
      <input
        id={`${id}-${index}`}
        type={echo ? 'text' : 'password'}
        autoComplete="off"
        spellCheck={false}
        value={answers[index] ?? ''}
        onChange={(event) => onType(index, event.target.value)}
      />
    </div>
  ));
}

/** Shows a dialog over everything. Afterwards the focus is where it was; at the heading when that cannot have it any more. */
function openOver(dialog: HTMLDialogElement | null): () => void {
  dialog?.showModal();
  return () => {
    dialog?.close();
    const at = document.activeElement;
    if (at === document.body || dialog?.contains(at)) document.querySelector<HTMLElement>('h1')?.focus();
  };
}

/** A question that only a person can answer, over whatever screen is open. Closing it gives up the attempt that asks. */
export function PromptDialog({ bridge, prompt }: { readonly bridge: Bridge; readonly prompt: Prompt }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  const { id, question, canRemember } = prompt;
  const fields = fieldsOf(question);
  const [answers, setAnswers] = useState<readonly string[]>(fields.map(() => ''));
  const [remember, setRemember] = useState(false);
  const [sent, setSent] = useState(false);
  useLayoutEffect(() => openOver(dialog.current), []);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    await bridge.call('prompt.answer', { id, answers, remember });
  };
  const again = (question.kind === 'passphrase' || question.kind === 'password') && question.again;
  return (
    <dialog
      ref={dialog}
      className="card"
      aria-labelledby={title}
      onCancel={(event) => {
        event.preventDefault();
        void bridge.call('prompt.cancel', { id });
      }}
    >
      <form className="block" onSubmit={(event) => void send(event)}>
        <h2 id={title} className="title">
          {words.prompt.title(visibleName(prompt.connection.name))}
        </h2>
        <p>
          {words.prompt.machine}
          {words.colon}
          <Literal text={prompt.machine} />
        </p>
        <Question prompt={prompt} />
        {again && (
          <p className="held" role="alert">
            {words.prompt.again}
          </p>
        )}
        <Fields fields={fields} answers={answers} onType={(index, answer) => setAnswers((before) => before.with(index, answer))} />
        {canRemember && (
          <label className="check">
            <input type="checkbox" checked={remember} onChange={(event) => setRemember(event.target.checked)} />
            <span>{words.prompt.remember}</span>
          </label>
        )}
        {fields.length > 0 && <p className="faint">{remember ? words.prompt.keptEncrypted : words.prompt.kept}</p>}
        <div className="actions">
          {fields.length > 0 && (
            <button type="submit" className="primary" disabled={sent}>
              {words.prompt.answer}
            </button>
          )}
          <button type="button" onClick={() => void bridge.call('prompt.cancel', { id })}>
            {words.cancel}
          </button>
        </div>
      </form>
    </dialog>
  );
}
