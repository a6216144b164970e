import { phrases } from '../shared/phrase';
import { planReasons } from '../shared/plan';
import type { RunKind } from '../shared/run-report';
import { formatExactMoment } from './format';
import { countFiles, locale, showBytes, showNumber, words } from './words';

type Topic = keyof typeof phrases;
/** Which text it is, in a way that every language can be asked for it. */
interface Place {
  readonly topic: Topic;
  readonly name: string;
}
interface Template extends Place {
  readonly pattern: RegExp;
  readonly holes: readonly string[];
}
interface Hole {
  /** What the English text has there; a name or path when left out. */
  readonly pattern?: string;
  readonly show: (value: string) => string;
}

const size: Hole = { pattern: '[\\d.e+]+ (?:bytes|kB|MB|GB|TB)', show: showSize };
const files: Hole = { pattern: '\\d+ files?', show: (value) => countFiles(Number.parseInt(value, 10)) };
const number: Hole = { pattern: '\\d+', show: (value) => showNumber(Number(value)) };
const digits: Hole = { pattern: '\\d+', show: (value) => value };
const amount: Hole = { pattern: '\\d+ files? \\(\\d+ bytes?\\)', show: showAmount };
const phrase: Hole = { pattern: '.+?', show: translate };
/** A name or path: it does not reach into the next part of the text. */
const anything = '(?:(?!; ).)+?';

/** What is filled in, by the hole's name; whatever has another name is shown as it is. */
const holesByName: Readonly<Record<string, Hole>> = {
  ...{ size, before: size, part: size, files, parts: files, amount, refused: amount },
  ...{ count: number, total: number, known: number, times: number, port: digits, pid: digits },
  bytes: { pattern: '\\d+', show: (value) => showBytes(Number(value)) },
  time: { pattern: '\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z', show: (value) => formatExactMoment(value, locale) },
  day: { pattern: '\\d{4}-\\d\\d-\\d\\d', show: showDay },
  run: { show: (value) => (value in words.kinds ? words.kinds[value as RunKind] : value) },
  ...{ reason: phrase, problem: phrase, activity: phrase, kind: phrase, detail: phrase },
};

const unitBytes: Readonly<Record<string, number>> = { bytes: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

function showSize(value: string): string {
  const [count = '', unit = ''] = value.split(' ');
  return showBytes(Math.round(Number(count) * (unitBytes[unit] ?? 1)));
}

function showAmount(value: string): string {
  const [count, bytes] = value.match(/\d+/g) ?? [];
  return `${countFiles(Number(count))} (${showBytes(Number(bytes))})`;
}

function showDay(value: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(value));
}

const exact = new Map<string, Place>();
const templates: Template[] = [];
for (const topic of Object.keys(phrases) as Topic[]) {
  for (const [name, text] of Object.entries(phrases[topic])) {
    const holes = [...text.matchAll(/\{(\w+)\}/g)].map(([, hole = '']) => hole);
    if (holes.length === 0) exact.set(text, { topic, name });
    else templates.push({ topic, name, holes, pattern: patternOf(text) });
  }
}
const planNames = new Map(Object.entries(planReasons).map(([name, text]) => [text as string, name as keyof typeof planReasons]));

function patternOf(text: string): RegExp {
  const parts = text.split(/\{(\w+)\}/);
  const source = parts.map((part, index) =>
    index % 2 === 0 ? part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&') : `(${holesByName[part]?.pattern ?? anything})`,
  );
  return new RegExp(`^${source.join('')}$`, 's');
}

function wordsAt({ topic, name }: Place): string {
  const texts: Readonly<Record<string, string>> = words.phrases[topic];
  return texts[name] ?? '';
}

/** A text that is one known phrase, in the window's language; null when it is none. */
function translateWhole(text: string): string | null {
  const plan = planNames.get(text);
  if (plan !== undefined) return words.restore.reasons[plan];
  const place = exact.get(text);
  if (place !== undefined) return wordsAt(place);
  for (const template of templates) {
    const found = template.pattern.exec(text);
    if (found === null) continue;
    const values = new Map(template.holes.map((hole, index) => [hole, found[index + 1] ?? '']));
    return wordsAt(template).replace(/\{(\w+)\}/g, (_hole, name: string) => {
      const value = values.get(name) ?? '';
      return holesByName[name]?.show(value) ?? value;
    });
  }
  return null;
}

/** Where one phrase ends and the next begins: sentences, or parts of one. */
const joints = /(?<=\.) |; |: /g;

function join(left: string, joint: string, right: string): string {
  if (joint === ' ') return left.endsWith('。') ? `${left}${right}` : `${left} ${right}`;
  return `${left}${joint === '; ' ? words.semicolon : words.colon}${right}`;
}

/** What the core said in English, in the window's language as far as it is known; the rest stays as it came. */
export function translate(text: string): string {
  const whole = translateWhole(text);
  if (whole !== null) return whole;
  for (const { 0: joint, index } of text.matchAll(joints)) {
    const left = text.slice(0, index);
    const right = text.slice(index + joint.length);
    const said = translateWhole(left);
    if (said !== null) return join(said, joint, translate(right));
    const end = translateWhole(right);
    if (end !== null) return join(left, joint, end);
  }
  return text;
}
