import type { Baseline, FoundBaseline, Memories } from '../../../electron/engine/baseline';
import type { Endpoint, IncomingFile } from '../../../electron/engine/endpoint';
import type { EnginePath } from '../../../electron/engine/entry';
import { push } from '../../../electron/engine/push';
import type { Direction } from '../../../electron/engine/reconcile';
import type { InboxSink, RunInput, RunResult, WaitingItem } from '../../../electron/engine/run';
import { syncBack } from '../../../electron/engine/sync-back';
import type { RunReport } from '../../../shared/run-report';
import { createMemoryEndpoint, type MemoryEndpoint, type MemoryOptions } from '../../support/memory-endpoint';
import { createMemoryHome, type MemoryHome } from '../../support/memory-home';
import { contentsOf, sha256, type Tree } from '../../support/tree';
import { noDecisions, plainRules } from './entries';

/** An inbox in memory. */
export interface MemoryInbox extends InboxSink {
  /** What waits, as `kind: remote content`, by path; the content is empty when it is not stored. */
  waiting(): Readonly<Record<EnginePath, string>>;
  readonly fetched: readonly EnginePath[];
}

export function createMemoryInbox(): MemoryInbox {
  const items = new Map<EnginePath, WaitingItem>();
  const contents = new Map<string, string>();
  const fetched: EnginePath[] = [];
  return {
    fetched,
    waiting: () =>
      Object.fromEntries([...items].map(([path, { why, remote }]) => [path, `${why}: ${contents.get(remote?.hash ?? '') ?? ''}`])),
    lacks: ({ remote }) => remote !== null && !contents.has(remote.hash),
    async store(item, incoming) {
      fetched.push(item.path);
      const text = await textOf(incoming);
      if (sha256(text) !== item.remote?.hash) return false;
      contents.set(item.remote.hash, text);
      return true;
    },
    async settle(waiting, kinds) {
      for (const [path, { why }] of items) if (kinds.includes(why)) items.delete(path);
      for (const item of waiting) if (kinds.includes(item.why)) items.set(item.path, item);
    },
  };
}

async function textOf({ body }: IncomingFile): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

export interface RunParts
  extends Partial<Pick<RunInput, 'allow' | 'dryRun' | 'newSkills' | 'rules' | 'decided' | 'roots' | 'hermesUnfinished'>> {
  readonly local?: Partial<MemoryOptions>;
  readonly remote?: Partial<MemoryOptions>;
  /** Puts something between the run and a side. */
  readonly around?: (endpoint: Endpoint) => Endpoint;
  readonly signal?: AbortSignal;
}

/** A run that ended, with what it asked of the sides. */
export interface EndedRun extends RunResult {
  /** Paths by what became of them. */
  readonly became: Readonly<Record<EnginePath, RunReport['paths'][number]['outcome']>>;
  readonly sent: readonly EnginePath[];
  readonly hashed: readonly EnginePath[];
  /** Calls that may write, as `side.call`. */
  readonly calls: readonly string[];
}

/** Two homes in memory with what is kept between their runs. */
export interface World {
  readonly local: MemoryHome;
  readonly remote: MemoryHome;
  readonly inbox: MemoryInbox;
  found: FoundBaseline;
  memories: Memories;
  push(parts?: RunParts): Promise<EndedRun>;
  syncBack(parts?: RunParts): Promise<EndedRun>;
  /** Contents of both homes, without the identity marker. */
  contents(): Promise<{ readonly local: Readonly<Record<string, string>>; readonly remote: Readonly<Record<string, string>> }>;
}

/** Makes two homes; the first session is let through unless a run says otherwise. */
export function createWorld(local: Tree, remote: Tree): World {
  const world: World = {
    local: createMemoryHome(local),
    remote: createMemoryHome(remote),
    inbox: createMemoryInbox(),
    found: { kind: 'none' },
    memories: { local: null, remote: null },
    push: (parts) => run(world, 'push', parts),
    syncBack: (parts) => run(world, 'sync-back', parts),
    contents: async () => {
      const { '.ebbgate/id': _, ...remoteContents } = contentsOf(await world.remote.read());
      return { local: contentsOf(await world.local.read()), remote: remoteContents };
    },
  };
  return world;
}

async function run(world: World, direction: Direction, parts: RunParts = {}): Promise<EndedRun> {
  const calls: string[] = [];
  const open = (side: 'local' | 'remote'): { readonly memory: MemoryEndpoint; readonly side: Endpoint } => {
    const memory = createMemoryEndpoint({ side, home: world[side], ...parts[side] });
    const around = parts.around ?? ((endpoint: Endpoint) => endpoint);
    return { memory, side: logged(around(memory), calls) };
  };
  const local = open('local');
  const remote = open('remote');
  const {
    allow = new Set(['first-session'] as const),
    dryRun = false,
    newSkills = 'bring',
    rules = plainRules,
    roots = ['skills'],
  } = parts;
  const input: RunInput = {
    ...{ local: local.side, remote: remote.side, roots, rules, newSkills, allow, dryRun, hostKey: 'SHA256:key' },
    ...{ found: world.found, memories: world.memories, decided: parts.decided ?? noDecisions, inbox: world.inbox },
    ...{ localMarker: async () => null, hermesUnfinished: parts.hermesUnfinished ?? null, proposedMarker: 'the marker' },
    prepare: async (baseline: Baseline) => {
      calls.push('prepare');
      world.found = { kind: 'present', baseline };
    },
    progress: () => undefined,
  };
  const result = await (direction === 'push' ? push : syncBack)(input, parts.signal ?? new AbortController().signal);
  if (result.baseline !== null) world.found = { kind: 'present', baseline: result.baseline };
  if (result.memories !== null) world.memories = await result.memories;
  return {
    ...result,
    became: Object.fromEntries(result.paths.map(({ path, outcome }) => [path, outcome])),
    sent: [...local.memory.sent, ...remote.memory.sent],
    hashed: [...local.memory.hashed, ...remote.memory.hashed],
    calls,
  };
}

/** Notes every call that may write. */
function logged(endpoint: Endpoint, calls: string[]): Endpoint {
  const note = (call: string) => calls.push(`${endpoint.side}.${call}`);
  return {
    ...endpoint,
    apply: (request, signal) => {
      note('apply');
      return endpoint.apply(request, signal);
    },
    identify: (proposed, signal) => {
      note('identify');
      return endpoint.identify(proposed, signal);
    },
    remember: (signal) => {
      note('remember');
      return endpoint.remember(signal);
    },
  };
}
