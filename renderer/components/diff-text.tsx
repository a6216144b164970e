import { visibleName } from '../format';
import { words } from '../words';

/** Hidden characters are shown, but a tab is an ordinary part of a text. */
export function visibleText(text: string): string {
  return text.split('\t').map(visibleName).join('\t');
}

/** One line of a version; says when its newline is missing. */
export function DiffText({ line }: { readonly line: string }) {
  const ended = line.endsWith('\n');
  return (
    <>
      <bdi className="diff-text" translate="no">
        {visibleText(ended ? line.slice(0, -1) : line)}
      </bdi>
      {!ended && <span className="faint diff-mark">{words.noNewline}</span>}
    </>
  );
}
