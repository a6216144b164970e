import { parseArgs } from 'node:util';

/** What the command line says; names that were not given are chosen by whoever runs. */
export interface Options {
  readonly quick: boolean;
  readonly sizes: string | undefined;
  readonly links: string | undefined;
  readonly scenarios: string | undefined;
  readonly tools: string | undefined;
  readonly rounds: number;
  readonly sessions: number;
  readonly seed: number;
  readonly profile: string | undefined;
  readonly add: boolean;
  readonly out: string;
}

const usage = `npm run bench -- [flags]

  --quick             S alone, the main scenarios and tools, 3 rounds
  --sizes S,M,L       trees: 600, 5 000, 100 000 files (S,M)
  --links NAMES       loopback, slow (both)
  --scenarios NAMES   see test/bench/scenarios.ts (all)
  --tools NAMES       see test/bench/main.ts (all)
  --rounds N          5
  --add               tables of earlier runs that this one does not measure stay
  --sessions N        instead: N sessions in one process, and what memory it holds after each tenth
  --profile FOLDER    CPU profiles of the product go there
  --seed N            1
  --out FILE          the page whose generated part is replaced (docs/PERFORMANCE.md)

Trees are made once, into out/bench-trees. L in pieces, a link and some scenarios at a time:
  npm run bench -- --sizes L --links loopback --scenarios nothing,changed --tools ebbgate,rsync,unison --add
`;

const flags = {
  help: { type: 'boolean', short: 'h', default: false },
  quick: { type: 'boolean', default: false },
  sizes: { type: 'string' },
  links: { type: 'string' },
  scenarios: { type: 'string' },
  tools: { type: 'string' },
  rounds: { type: 'string' },
  sessions: { type: 'string', default: '0' },
  seed: { type: 'string', default: '1' },
  profile: { type: 'string' },
  add: { type: 'boolean', default: false },
  out: { type: 'string', default: 'docs/PERFORMANCE.md' },
} as const;

/** Reads the command line; `--help` and a mistake end the process with a text. */
export function readOptions(args: readonly string[]): Options {
  try {
    const { values } = parseArgs({ args: [...args], options: flags });
    if (!values.help) {
      const { rounds = values.quick ? '3' : '5', sessions, seed, ...rest } = values;
      const { sizes, links, scenarios, tools, profile } = rest;
      const numbers = { rounds: whole('rounds', rounds), sessions: whole('sessions', sessions), seed: whole('seed', seed) };
      return { ...rest, sizes, links, scenarios, tools, profile, ...numbers };
    }
  } catch (error) {
    giveUp(error instanceof Error ? error.message : String(error));
  }
  process.stdout.write(usage);
  process.exit(0);
}

function whole(flag: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`--${flag} wants a whole number, not "${text}".`);
  return Number(text);
}

/** The names that were asked for, in their usual order; a name that nobody knows ends the process. */
export function chosen<T extends string>(asked: string | undefined, all: readonly T[], usual: readonly T[]): readonly T[] {
  if (asked === undefined) return usual;
  const names = asked.split(',');
  const unknown = names.filter((name) => !all.includes(name as T));
  if (unknown.length > 0) giveUp(`Unknown: ${unknown.join(', ')}. There are ${all.join(', ')}.`);
  return all.filter((name) => names.includes(name));
}

function giveUp(message: string): never {
  process.stderr.write(`${message} "npm run bench -- --help" lists the flags.\n`);
  process.exit(2);
}
