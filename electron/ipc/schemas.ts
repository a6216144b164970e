import { z } from 'zod';
import type { Params, RequestName } from '../../shared/contract';
import { exportFormats } from '../../shared/history';
import { resolutions } from '../../shared/inbox';
import { allowableGuards, guards } from '../../shared/run-report';
import { languages, longestIdleMinutes } from '../../shared/settings';

/** Longer than any name, path or key a request carries. */
const text = z.string().max(4096);
const connection = text.min(1);
const nothing = z.strictObject({});
const allow = z
  .array(z.enum(guards).refine((guard) => allowableGuards.includes(guard), 'this guard cannot be let through'))
  .max(guards.length);

const address = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('address'), user: text, host: text, port: z.int() }),
  z.strictObject({ kind: z.literal('alias'), alias: text }),
]);

const removal = z.union([
  z.strictObject({ connection, run: text.min(1) }),
  z.strictObject({ connection, kind: z.enum(['prune', 'clean']) }),
]);

/** What each request's parameters must look like; whether names and paths make sense is decided where they are used. */
export const schemas = {
  'connection.list': nothing,
  'connection.add': z.strictObject({
    name: text,
    address,
    identityFile: text.optional(),
    knownHostsFile: text.optional(),
    acceptHostKey: text.optional(),
    useSshConfig: z.boolean().optional(),
    localHome: text.optional(),
    remoteHome: text.optional(),
    profile: text.optional(),
    roots: z.array(text).max(100).optional(),
    newSkills: z.enum(['bring', 'review']).optional(),
  }),
  'connection.remove': z.strictObject({ connection }),
  'connection.forget-secrets': z.strictObject({ connection }),
  'connection.try-now': z.strictObject({ connection }),
  'connection.test': z.strictObject({ connection, acceptHostKey: text.optional() }),
  'connection.proposals': z.strictObject({ localHome: text.optional() }),
  'prompt.list': nothing,
  'prompt.answer': z.strictObject({ id: text.min(1), answers: z.array(text).max(100), remember: z.boolean() }),
  'prompt.cancel': z.strictObject({ id: text.min(1) }),
  'session.start': z.strictObject({ connection, allow }),
  'session.end': z.strictObject({ connection, allow }),
  'session.list': nothing,
  preview: z.strictObject({ connection, direction: z.enum(['push', 'sync-back']) }),
  undo: z.strictObject({ connection, run: text.min(1).optional() }),
  'undo.usage': z.strictObject({ connection }),
  'undo.free': z.strictObject({ connection }),
  'run.cancel': z.strictObject({ connection }),
  'inbox.list': z.strictObject({ connection: connection.optional() }),
  'inbox.compare': z.strictObject({ id: text.min(1) }),
  'inbox.resolve': z.strictObject({ ids: z.array(text.min(1)).min(1).max(10_000), choice: z.enum(resolutions) }),
  'decision.list': z.strictObject({ connection: connection.optional() }),
  'decision.revoke': z.strictObject({ id: text.min(1) }),
  inspect: z.strictObject({ connection, side: z.enum(['local', 'remote', 'both']) }),
  prune: z.strictObject({
    connection,
    side: z.enum(['local', 'remote', 'both']),
    keep: z.int().min(1).max(1000),
    keepRecent: z.boolean().optional(),
    includeRemoteOwn: z.boolean().optional(),
    check: z.boolean().optional(),
    apply: z.boolean(),
    plan: text.optional(),
    purge: z.boolean().optional(),
  }),
  clean: z.strictObject({
    connection,
    side: z.enum(['local', 'remote', 'both']),
    only: z.array(text.min(1)).max(100_000),
    all: z.boolean(),
    apply: z.boolean(),
    plan: text.optional(),
    purge: z.boolean().optional(),
  }),
  'prune.removed': z.strictObject({ connection }),
  'prune.undo': removal,
  'prune.free': removal,
  'history.list': z.strictObject({ connection: connection.optional(), limit: z.int().min(1).max(10_000).optional() }),
  'history.series': z.strictObject({ connection, limit: z.int().min(1).max(10_000).optional() }),
  'history.export': z.strictObject({
    connection: connection.optional(),
    format: z.enum(exportFormats),
    before: text.min(1).optional(),
  }),
  'history.rows': z.strictObject({
    connection: connection.optional(),
    search: text.optional(),
    limit: z.int().min(1).max(10_000).optional(),
  }),
  'history.run': z.strictObject({ run: text.min(1) }),
  'settings.read': nothing,
  'settings.change': z.strictObject({
    language: z.enum(languages).nullable().optional(),
    notifications: z.boolean().optional(),
    launchAtLogin: z.boolean().optional(),
    closeToTray: z.boolean().nullable().optional(),
    idleEndMinutes: z.int().min(1).max(longestIdleMinutes).nullable().optional(),
    checkForUpdates: z.boolean().optional(),
    guard: z.boolean().optional(),
    paused: z.boolean().optional(),
    window: z
      .strictObject({ x: z.int(), y: z.int(), width: z.int().min(1), height: z.int().min(1) })
      .nullable()
      .optional(),
  }),
  'guard.list': nothing,
  'guard.look': nothing,
  'guard.watch': nothing,
  'guard.put-back': z.strictObject({ id: text.min(1) }),
  'guard.dismiss': z.strictObject({ id: text.min(1) }),
  status: nothing,
} satisfies { readonly [K in RequestName]: z.ZodType<Params<K>> };

type SchemaFields<K extends RequestName> = string extends keyof z.output<(typeof schemas)[K]> ? never : keyof z.output<(typeof schemas)[K]>;
/** The requests whose schema and contract do not name the same fields. */
type Mismatch = {
  [K in RequestName]: [keyof Params<K>, SchemaFields<K>] extends [SchemaFields<K>, keyof Params<K>] ? never : K;
}[RequestName];
/** Compiles only while there is none: the contract may not know an optional field that the schemas would refuse. */
export const mismatches: Record<Mismatch, never> = {};

/** The parameters of a request, checked; or what is wrong with them, as a sentence. */
export type Checked<K extends RequestName> =
  | { readonly ok: true; readonly params: Params<K> }
  | { readonly ok: false; readonly what: string };

/** Checks what came from outside this process. Fields the contract does not name are refused. */
export function checkParams<K extends RequestName>(name: K, params: unknown): Checked<K> {
  const schema: z.ZodType<Params<K>> = schemas[name] as unknown as z.ZodType<Params<K>>;
  const result = schema.safeParse(params);
  if (result.success) return { ok: true, params: result.data };
  const issue = result.error.issues[0];
  const where = issue?.path.map(String).join('.');
  return { ok: false, what: `${name}${where ? `, ${where}` : ''}: ${issue?.message ?? 'not valid'}.` };
}
