import type { Plan } from '../../shared/plan';
import { formatBytes, oneLine, table } from './text';

/** A plan for people: every line with its reason, then how to carry out exactly this one. */
export function planText({ lines, fingerprint }: Plan): string {
  if (lines.length === 0) return '  There is nothing here that could go.';
  const rows = lines.map(({ side, path, bytes, decision, reason }) => [
    decision,
    side === 'local' ? 'this computer' : 'the remote',
    formatBytes(bytes),
    `${oneLine(path)}: ${oneLine(reason)}`,
  ]);
  return `${table(rows, '  ')}\n  plan ${fingerprint}`;
}
