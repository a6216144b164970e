import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAppError } from '../../shared/errors';
import { type InboxItem, type Resolution, resolutionsFor } from '../../shared/inbox';
import type { Guard, RunReport } from '../../shared/run-report';
import { type ModelOptions, ModelPlace } from '../support/model';
import type { AppCommand, Trouble, UserCommand } from './commands';
import { userRule } from './commands';
import { changedPaths, type Moment, momentOf, Oracle } from './oracle';
import { viewOf } from './user';
import { Users } from './users';

const startsOver: ReadonlySet<Guard> = new Set(['remote-empty', 'local-empty', 'identity-changed', 'first-session']);
const calm: Trouble = { kill: null, cut: null, fault: null, meanwhile: null };

/** One history of two homes, the app between them and the users on both sides, watched by the oracle. */
export class World {
  steps = 0;

  private constructor(
    readonly place: ModelPlace,
    readonly oracle: Oracle,
    readonly users: Users,
  ) {}

  static async make(options: ModelOptions): Promise<World> {
    const place = await ModelPlace.make(options);
    await writeFile(join(place.outside, 'secret.txt'), 'nobody touches this');
    const oracle = new Oracle(place, options.executableBits);
    for (const side of ['local', 'remote'] as const)
      for (const [path, { text }] of (await viewOf(place, side)).files) oracle.wrote(side, path, text);
    return new World(place, oracle, new Users(place, oracle, options));
  }

  async carryOut(command: UserCommand | AppCommand): Promise<void> {
    this.steps += 1;
    switch (command.do) {
      case 'push':
      case 'sync-back':
        return this.run(command.do, command.trouble);
      case 'resolve':
        return this.resolve(command.which, command.choice, command.trouble);
      case 'undo':
        return this.undo(command.trouble);
      case 'revoke':
        return this.revoke(command.which);
      case 'restart':
        return this.place.restart();
      case 'lose memory':
        return this.place.loseMemory();
      case 'damage baseline':
        if (await this.place.damageBaseline()) this.oracle.forgetRemovals();
        return;
      case 'toggle rule':
        return this.toggleRule();
      case 'set clock back':
        this.place.clockError -= command.hours * 3_600_000;
        return;
      default:
        return this.users.carryOut(command);
    }
  }

  async toggleRule(): Promise<void> {
    const { userRules } = this.place.app.connection;
    const without = userRules.filter((rule) => rule !== userRule);
    await this.place.setRules(without.length < userRules.length ? without : [...userRules, userRule]);
    this.oracle.forgetRemovals();
  }

  async revoke(which: number): Promise<void> {
    const decisions = this.place.app.decisions.list();
    const chosen = decisions[which % Math.max(1, decisions.length)];
    if (chosen === undefined) return;
    await this.place.app.decisions.revoke(chosen.id);
    this.oracle.forgetRemovals();
  }

  /** Runs as a user would: what a guard asks is answered with yes. */
  async run(direction: 'push' | 'sync-back', trouble: Trouble = calm): Promise<void> {
    this.#brace(trouble);
    const allow: Guard[] = [];
    for (;;) {
      const before = await momentOf(this.place);
      const seen = { middle: before };
      if (this.place.weather.meanwhile !== null) {
        const { meanwhile } = this.place.weather;
        this.place.weather.meanwhile = async () => {
          await meanwhile();
          seen.middle = await momentOf(this.place);
        };
      }
      const report = await this.#survive(() => this.place.app.runs.run(this.place.app.connection, { direction, allow, dryRun: false }));
      const after = await momentOf(this.place);
      await this.oracle.expectAllowed({ direction, before, ...seen, after, report });
      await this.#look();
      if (report?.outcome !== 'stopped' || report.stop === null) break;
      if (JSON.stringify(seen.middle.images) !== JSON.stringify(after.images)) throw new Error(`stopped, and changed something`);
      if (allow.includes(report.stop.guard)) throw new Error(`stopped again: ${report.stop.message}`);
      allow.push(report.stop.guard);
      if (startsOver.has(report.stop.guard)) this.oracle.forgetRemovals();
    }
    this.#relax();
  }

  async resolve(which: number, wanted: Resolution, trouble: Trouble = calm): Promise<void> {
    const { inbox, resolver } = this.place.app;
    const items = inbox.list();
    const item = items[which % Math.max(1, items.length)];
    if (item === undefined) return;
    const possible = resolutionsFor[item.kind];
    const choice = possible.includes(wanted) ? wanted : (possible[which % possible.length] ?? 'discard');
    let isRefused = false;
    await this.#own('resolve', { ...trouble, meanwhile: null, cut: null }, async () => {
      try {
        return await resolver.resolve([item.id], choice);
      } catch (error) {
        // What a cut link kept from arriving cannot be placed; the item waits on.
        if (!isAppError(error, 'inbox.not-stored')) throw error;
        isRefused = true;
        return null;
      }
    });
    if (isRefused) return;
    const left = new Set(this.place.app.inbox.list().map(({ id }) => id));
    for (const one of items) if (!left.has(one.id) || one.id === item.id) this.#decided(one, choice);
  }

  #decided({ path, remote }: InboxItem, choice: Resolution): void {
    if (choice === 'exclude' || choice === 'discard') {
      this.oracle.forgetRemovals();
      return;
    }
    const version = remote === null ? null : { text: this.oracle.textOf(remote.hash), executable: remote.executable };
    this.oracle.agree(path, version);
    for (const side of ['local', 'remote'] as const) this.oracle.removed[side].delete(path);
    if (choice === 'keep-local' && version !== null) this.oracle.gaveUp(version.text);
  }

  async undo(trouble: Trouble = calm): Promise<void> {
    const { undoer, connection } = this.place.app;
    const [before, after] = await this.#own('undo', { ...trouble, meanwhile: null, cut: null }, () => undoer.undo(connection));
    for (const path of changedPaths(before.local, after.local, (version) => this.oracle.key(version))) {
      const old = before.local.files.get(path);
      if (old !== undefined && !after.local.files.has(path)) this.oracle.removed.local.set(path, this.oracle.key(old));
      else this.oracle.removed.local.delete(path);
    }
  }

  /** Decides everything that waits and syncs until nothing is left to do; both sides then hold the same. */
  async converge(): Promise<void> {
    for (const side of ['local', 'remote'] as const) await this.users.carryOut({ do: 'unlink', side });
    while (this.place.app.decisions.list().length > 0) await this.revoke(0);
    for (let round = 0, quiet = 0; round < 8 && quiet < 2; round += 1) {
      const before = await momentOf(this.place);
      await this.run('sync-back');
      for (let count = this.place.app.inbox.list().length; count > 0; count -= 1) {
        if (this.place.app.inbox.list().length > 0) await this.resolve(0, round % 2 === 0 ? 'keep-local' : 'keep-remote');
      }
      await this.run('push');
      const after = await momentOf(this.place);
      quiet = JSON.stringify(before.images) === JSON.stringify(after.images) ? quiet + 1 : 0;
    }
    const { local, remote } = await momentOf(this.place);
    const differing = changedPaths(local, remote, (version) => this.oracle.key(version));
    const wrong = differing.filter((path) => path !== 'skills/.usage.json' && this.oracle.refusal(path) === null);
    if (wrong.length > 0) throw new Error(`still different: ${wrong.join()}`);
    const waiting = this.place.app.inbox.list().filter(({ kind }) => kind !== 'guarded');
    if (waiting.length > 0) throw new Error(`still waiting: ${waiting.map(({ path }) => path).join()}`);
  }

  /** A run that does not contact the remote. */
  async #own(kind: 'resolve' | 'undo', trouble: Trouble, work: () => Promise<RunReport | null>): Promise<readonly [Moment, Moment]> {
    this.#brace(trouble);
    const before = await momentOf(this.place);
    await this.#survive(work);
    const after = await momentOf(this.place);
    if (before.images.remote !== after.images.remote) throw new Error('the remote changed without being contacted');
    for (const path of changedPaths(before.local, after.local, (version) => this.oracle.key(version))) {
      // An undo puts back what a run did, under whatever rules it did it.
      const refusal = path.includes('.ebbgate-copy-') || kind === 'undo' ? null : this.oracle.refusal(path);
      if (refusal !== null) throw new Error(`${path} changed, which stays because of ${refusal}`);
    }
    await this.#look();
    this.#relax();
    return [before, after];
  }

  /** Null when the process was killed; a new one has then looked after what it left. */
  async #survive(work: () => Promise<RunReport | null>): Promise<RunReport | null> {
    const { mortal } = this.place.app;
    const report = await work().catch((error: unknown) => {
      if (!mortal.isGone) throw error;
      return null;
    });
    if (!mortal.isGone) return report;
    await this.place.restart();
    return null;
  }

  #brace({ kill, cut, fault, meanwhile }: Trouble): void {
    this.place.app.mortal.arm(kill);
    this.place.weather.cut = cut;
    this.place.weather.fault = fault;
    // Nobody asks a remote about a bit that changes in the middle of a push.
    const isUnseen = meanwhile?.do === 'chmod' && meanwhile.side === 'remote';
    this.place.weather.meanwhile = meanwhile === null || isUnseen ? null : () => this.users.carryOut(meanwhile);
  }

  #relax(): void {
    this.#brace(calm);
  }

  async #look(): Promise<void> {
    await this.oracle.expectNothingLost();
    await this.oracle.expectTidy();
  }
}
