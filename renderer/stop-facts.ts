import { visibleName } from './format';
import { translate } from './translate';
import { countFiles, showBytes, showNumber, words } from './words';

/** One line of what a guard looked at; several values stand below each other. */
export interface Fact {
  readonly label: string;
  readonly values: readonly string[];
  /** Names and paths are shown as such, never as words. */
  readonly literal: boolean;
}

function label(key: string): string {
  if (key === 'bytes') return words.size;
  if (key in words.facts) return words.facts[key as keyof typeof words.facts];
  const spaced = key.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A tally, perhaps with a name: "skills/web · 3 files · 41 kB". */
function describeTally(value: Readonly<Record<string, unknown>>): string | null {
  const { name = value.path, files, bytes } = value;
  const parts = [
    typeof name === 'string' ? visibleName(name) : null,
    typeof files === 'number' ? countFiles(files) : null,
    typeof bytes === 'number' ? showBytes(bytes) : null,
  ].filter((part) => part !== null);
  return parts.length > 0 ? parts.join(' · ') : null;
}

function describeNumber(key: string, value: number): string {
  if (/bytes$/i.test(key)) return showBytes(value);
  if (/percent$/i.test(key)) return `${showNumber(value)} %`;
  return showNumber(value);
}

function describeValue(key: string, value: unknown): string | null {
  if (typeof value === 'number') return describeNumber(key, value);
  if (typeof value === 'string') return visibleName(translate(value));
  if (typeof value === 'boolean') return value ? words.facts.yes : words.facts.no;
  return isRecord(value) ? describeTally(value) : null;
}

/** The numbers and names of a stop, in the order in which the guard gave them; what has no plain form is left out. */
export function stopFacts(details: unknown): readonly Fact[] {
  if (!isRecord(details)) return [];
  const facts: Fact[] = [];
  for (const [key, value] of Object.entries(details)) {
    const values = (Array.isArray(value) ? value : [value]).map((one: unknown) => describeValue(key, one)).filter((one) => one !== null);
    if (values.length === 0) continue;
    const first: unknown = Array.isArray(value) ? value[0] : value;
    facts.push({ label: label(key), values, literal: typeof first === 'string' });
  }
  return facts;
}
