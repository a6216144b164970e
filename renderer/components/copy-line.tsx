import { useState } from 'react';
import { words } from '../words';

/** A command line to copy. Where the clipboard is closed to us the line stays selectable, and that is said. */
export function CopyLine({ text }: { readonly text: string }) {
  const [said, setSaid] = useState('');
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setSaid(words.copied),
      () => setSaid(words.copyFailed),
    );
  };
  return (
    <div className="copy-line">
      <code translate="no">
        {text.split(' ').map((word) => (
          <span key={word}>{word} </span>
        ))}
      </code>
      <button type="button" onClick={copy} aria-label={`${words.copy}: ${text}`}>
        {said === words.copied ? words.copied : words.copy}
      </button>
      <span role="status" className={said === words.copyFailed ? 'faint' : 'hidden'}>
        {said}
      </span>
    </div>
  );
}
