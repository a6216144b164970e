import { useState } from 'react';
import type { Bridge, Envelope } from '../../shared/contract';
import { type ExportFormat, exportFormats } from '../../shared/history';
import { errorText } from '../error-text';
import { words } from '../words';

const types: Readonly<Record<ExportFormat, string>> = { jsonl: 'application/x-ndjson', csv: 'text/csv' };

/** The whole history as a file's parts. */
async function readHistory(bridge: Bridge, connection: string | undefined, format: ExportFormat): Promise<Envelope<readonly string[]>> {
  const parts: string[] = [];
  let before: string | undefined;
  do {
    const reply = await bridge.call('history.export', { connection, format, before });
    if (!reply.ok) return reply;
    parts.push(reply.value.text);
    before = reply.value.next ?? undefined;
  } while (before !== undefined);
  return { ok: true, value: parts };
}

/** Hands a file to the reader, as a download does. */
function save(name: string, parts: readonly string[], type: string): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** Saves the history, one connection's or everyone's, in each of its formats. */
export function ExportButtons({ bridge, connection }: { readonly bridge: Bridge; readonly connection: string | undefined }) {
  const [saving, setSaving] = useState(false);
  const [said, setSaid] = useState('');
  const write = async (format: ExportFormat) => {
    setSaving(true);
    setSaid(words.history.exporting);
    const reply = await readHistory(bridge, connection, format);
    if (reply.ok) save(`ebbgate-history.${format}`, reply.value, types[format]);
    setSaid(reply.ok ? words.history.exported : errorText(reply.error));
    setSaving(false);
  };
  return (
    <>
      <span role="status" className={said === '' ? 'hidden' : 'faint'}>
        {said}
      </span>
      {exportFormats.map((format) => (
        <button key={format} type="button" disabled={saving} onClick={() => void write(format)}>
          <span className="hidden">{`${words.history.export} `}</span>
          {format.toUpperCase()}
        </button>
      ))}
    </>
  );
}
