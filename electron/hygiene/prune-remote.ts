import { AppError } from '../../shared/errors';
import { SftpChannel } from '../endpoints/sftp-channel';
import { trashFolder } from '../engine/state-names';
import type { SshConnection } from '../ssh/ssh-connection';
import { lacksShell, type PruneScript, runPruneScript } from './prune-script';
import { createSftpPruneSide } from './prune-sftp';
import {
  type Failures,
  isPruning,
  type Leaving,
  type MoveOutcome,
  type PruneSide,
  type Survey,
  type SurveyedEntry,
  type TrashOwner,
} from './prune-side';

/** The remote through its shell, and through SFTP alone where no usable shell answers. `home` is absolute. */
export function createRemotePruneSide(connection: SshConnection, home: string, now: () => number): PruneSide & TrashOwner {
  return new RemotePruneSide(connection, home, now);
}

class RemotePruneSide implements PruneSide, TrashOwner {
  readonly side = 'remote';
  private sftp: (PruneSide & TrashOwner) | null = null;
  private channel: SftpChannel | null = null;
  /** A lock that an earlier prune left behind is in the way. */
  private steal = false;

  constructor(
    private readonly connection: SshConnection,
    readonly home: string,
    private readonly now: () => number,
  ) {}

  survey(paths: readonly string[], signal: AbortSignal): Promise<Survey> {
    return this.either(
      signal,
      async () => {
        const survey = readSurvey(await this.run({ mode: 'look', words: paths }, signal));
        this.steal = survey.pruning !== null && !isPruning(survey, survey.clock ?? this.now());
        return survey;
      },
      (sftp) => sftp.survey(paths, signal),
    );
  }

  move(run: string, items: readonly Leaving[], signal: AbortSignal): Promise<MoveOutcome> {
    const words = items.flatMap(({ path, stamp, name }) => [path, stamp, name]);
    return this.either(
      signal,
      async () => {
        const answer = await this.run({ mode: 'move', run, steal: this.steal, words }, signal);
        const error = this.refusal(answer);
        if (error !== null) return { kind: 'refused', error };
        if (answer.includes('changed') && !answer.includes('moved')) return { kind: 'changed' };
        return { kind: 'moved', failed: failuresIn(answer) };
      },
      (sftp) => sftp.move(run, items, signal),
    );
  }

  restore(run: string, items: readonly Pick<Leaving, 'path' | 'name'>[], signal: AbortSignal): Promise<Failures> {
    const words = items.flatMap(({ path, name }) => [path, name]);
    return this.either(
      signal,
      async () => failuresIn(this.usable(await this.run({ mode: 'restore', run, steal: this.steal, words }, signal))),
      (sftp) => sftp.restore(run, items, signal),
    );
  }

  kept(run: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
    return this.either(
      signal,
      async () => new Set(this.usable(await this.run({ mode: 'kept', run, words: [] }, signal))),
      (sftp) => sftp.kept(run, signal),
    );
  }

  drop(run: string, signal: AbortSignal): Promise<void> {
    return this.either(
      signal,
      async () => {
        this.deleted(await this.run({ mode: 'drop', words: [run] }, signal));
      },
      (sftp) => sftp.drop(run, signal),
    );
  }

  empty(before: string, signal: AbortSignal): Promise<void> {
    return this.either(
      signal,
      async () => {
        this.deleted(await this.run({ mode: 'empty', before, words: [] }, signal));
      },
      (sftp) => sftp.empty(before, signal),
    );
  }

  async close(): Promise<void> {
    await this.channel?.close();
  }

  private run(script: Omit<PruneScript, 'home'>, signal: AbortSignal): Promise<readonly string[]> {
    return runPruneScript(this.connection, { ...script, home: this.home }, signal);
  }

  /** A script that lacks a shell did nothing at all, so the other way can be taken with the same work. */
  private async either<T>(signal: AbortSignal, shell: () => Promise<T>, sftp: (side: PruneSide & TrashOwner) => Promise<T>): Promise<T> {
    if (this.sftp !== null) return sftp(this.sftp);
    try {
      return await shell();
    } catch (error) {
      if (!lacksShell(error)) throw error;
      this.channel = await SftpChannel.open(this.connection, signal);
      this.sftp = createSftpPruneSide(this.channel, this.home, this.now);
      return sftp(this.sftp);
    }
  }

  /** Why nothing was done at all; null when something could be. */
  private refusal(words: readonly string[]): AppError | null {
    if (words[0] !== 'busy' && words[0] !== 'broken' && words[0] !== 'no-home') return null;
    const unusable = words[0] === 'broken' ? `${words[1]} is a link or cannot be made` : `${this.home} cannot be entered`;
    const said = words[0] === 'busy' ? 'another prune works there' : unusable;
    return new AppError('remote.failed', { operation: 'use the trash', path: `${this.home}/${trashFolder}`, said });
  }

  private usable(words: readonly string[]): readonly string[] {
    const error = this.refusal(words);
    if (error !== null) throw error;
    return words;
  }

  private deleted(words: readonly string[]): void {
    this.usable(words);
    const said = words[words.indexOf('failed') + 2] ?? '';
    if (words.includes('failed')) throw new AppError('remote.failed', { operation: 'delete', path: `${this.home}/${trashFolder}`, said });
  }
}

/** What did not go, or did not come back, by path. */
function failuresIn(words: readonly string[]): Failures {
  const failed = new Map<string, string>();
  for (const [index, word] of words.entries()) {
    if (word === 'failed') failed.set(words[index + 1] ?? '', words[index + 2] ?? '');
  }
  return failed;
}

/** Reads what the mode `look` answers. */
export function readSurvey(words: readonly string[]): Survey {
  const entries: SurveyedEntry[] = [];
  let [clock, pruning, locked]: [Survey['clock'], Survey['pruning'], Survey['locked']] = [null, null, null];
  for (let index = 0; index < words.length; index += 1) {
    const value = words[index + 1] ?? '';
    if (words[index] === 'clock') clock = millisecondsOf(value);
    else if (words[index] === 'pruning') pruning = { since: millisecondsOf(value) };
    else if (words[index] === 'locked') locked = value;
    else if (words[index] === 'entry') {
      entries.push(entryOf(value, words[index + 2] ?? '', words[index + 3] ?? ''));
      index += 2;
    } else continue;
    index += 1;
  }
  return { entries, clock, pruning, locked };
}

function entryOf(path: string, kind: string, facts: string): SurveyedEntry {
  const known = kind === 'folder' || kind === 'file' || kind === 'link' ? kind : 'other';
  const [stamp = '', figures = ''] = facts.split('\n');
  const [files, bytes, failures, newest] = figures.split(' ');
  const whole = failures === '0' && stamp !== '' && !path.includes('\ufffd');
  return {
    path,
    kind: known,
    files: Number(files) || (known === 'folder' ? 0 : 1),
    bytes: Number(bytes) || 0,
    newest: millisecondsOf(newest ?? ''),
    stamp: whole ? stamp : null,
  };
}

function millisecondsOf(seconds: string): number | null {
  return /^\d{1,11}$/.test(seconds) ? Number(seconds) * 1000 : null;
}
