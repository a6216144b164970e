import { z } from 'zod';
import type { Connection, FailedTest } from '../../shared/connection';
import { type Decision, decisionChoices } from '../../shared/decision';
import { arrivalKinds, type GuardEvent } from '../../shared/guard';
import type { Session } from '../../shared/session';

/** Version of `state.json`. A higher one on disk belongs to a newer Ebbgate. */
export const stateVersion = 1;

const remoteAddress = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('address'), user: z.string(), host: z.string(), port: z.int().min(1).max(65_535) }),
  z.object({ kind: z.literal('alias'), alias: z.string() }),
]);

const connection = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  address: remoteAddress,
  identityFile: z.string().nullable(),
  knownHostsFile: z.string().nullable(),
  acceptedHostKey: z.string().nullable(),
  useSshConfig: z.boolean(),
  localHome: z.string().min(1),
  remoteHome: z.string().nullable(),
  profile: z.string().nullable(),
  roots: z.array(z.string()).min(1),
  newSkills: z.enum(['bring', 'review']),
  userRules: z.array(z.string()),
  lifted: z.array(z.string()),
  createdAt: z.string(),
}) satisfies z.ZodType<Connection>;

const session = z.object({
  connection: z.string(),
  state: z.enum(['starting', 'open', 'ending', 'pending']),
  startedAt: z.string(),
}) satisfies z.ZodType<Session>;

const amount = z.object({ files: z.number(), bytes: z.number(), newest: z.number().nullable() });

const decision = z.object({
  id: z.string().min(1),
  connection: z.string(),
  path: z.string(),
  choice: z.enum(decisionChoices),
  hash: z.string().nullable(),
  amount: amount.optional(),
  createdAt: z.string(),
}) satisfies z.ZodType<Decision>;

const growthMemory = z.object({
  /** Bytes that were last alerted about. */
  alerted: z.object({ bookkeeping: z.number().nullable(), restorePoints: z.number().nullable() }),
  /** Subtrees that were held at the last teardown. */
  held: z.array(amount.extend({ path: z.string() })),
});

/** What is remembered of a connection's growth between teardowns. */
export type GrowthMemory = Readonly<z.infer<typeof growthMemory>>;

const tally = { files: z.number(), bytes: z.number() };

const guardEvent = z.object({
  id: z.string().min(1),
  connection: z.string(),
  side: z.enum(['local', 'remote']),
  source: z.enum(['hermes', 'other']),
  at: z.string(),
  lastAt: z.string(),
  kinds: z.array(z.enum(arrivalKinds)),
  amount: z.object(tally),
  usual: z.number(),
  culprit: z.string(),
  parts: z.array(z.object({ path: z.string(), ...tally })),
  hubLock: z.object({ state: z.enum(['replaced', 'removed', 'unreadable']), differingSkills: z.array(z.string()) }).nullable(),
  canPutBack: z.boolean(),
}) satisfies z.ZodType<GuardEvent>;

const failedTest = z.object({ at: z.string(), check: z.string(), advice: z.string() }) satisfies z.ZodType<FailedTest>;

/** Everything in `state.json`, checked on the way in and on the way out. */
export const stateSchema = z.object({
  version: z.literal(stateVersion),
  /** Names this computer's cache on remotes; random, made once. */
  clientId: z.string().regex(/^[0-9a-f]{32}$/),
  settings: z.record(z.string(), z.json()),
  connections: z.array(connection),
  sessions: z.array(session),
  decisions: z.array(decision),
  /** By connection; left out as long as there is nothing to remember. */
  growth: z.record(z.string(), growthMemory).optional(),
  /** What guard mode found and nobody decided about; left out as long as there is nothing. */
  guard: z.array(guardEvent).optional(),
  /** By connection; left out as long as there is none. */
  failedTests: z.record(z.string(), failedTest).optional(),
});

/** The state as a change may edit it. */
export type StateDraft = z.infer<typeof stateSchema>;

/** The state as everybody else sees it. */
export interface State {
  readonly version: typeof stateVersion;
  readonly clientId: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly connections: readonly Connection[];
  readonly sessions: readonly Session[];
  readonly decisions: readonly Decision[];
  readonly growth?: Readonly<Record<string, GrowthMemory>> | undefined;
  readonly guard?: readonly GuardEvent[] | undefined;
  readonly failedTests?: Readonly<Record<string, FailedTest>> | undefined;
}
