import type { ModelOptions, ModelPlace } from '../support/model';
import type { UserCommand } from './commands';
import type { Oracle } from './oracle';
import { handsOf, type Side, type Version, type View, viewOf } from './user';

type How = 'in place' | 'replace' | 'stealth';

const digits = 6;
const mark = 'version ';

/** The people on both sides. Everything they write is different from everything else; they know what they replace. */
export class Users {
  #written = 0;

  constructor(
    private readonly place: ModelPlace,
    private readonly oracle: Oracle,
    private readonly options: ModelOptions,
  ) {}

  async carryOut(command: UserCommand): Promise<void> {
    switch (command.do) {
      case 'edit':
        return this.#edit(command.side, command.path, command.how);
      case 'edit there':
        return this.#withFile(command.side, command.which, (path) => this.#edit(command.side, path, command.how));
      case 'same edit': {
        const text = this.#newText();
        await this.#edit('local', command.path, 'in place', text);
        return this.#edit('remote', command.path, 'in place', text);
      }
      case 'remove':
        return this.#withFile(command.side, command.which, (path) => this.#remove(command.side, path));
      case 'remove skill':
        return this.#remove(command.side, `skills/${command.skill}`);
      case 'chmod':
        return this.#withFile(command.side, command.which, (path, version) => this.#chmod(command.side, path, version));
      case 'rename':
        return this.#withFile(command.side, command.which, (path) => this.#rename(command.side, path, command.path));
      case 'rename skill':
        return this.#rename(command.side, `skills/${command.skill}`, `skills/${command.to}`);
      case 'link':
        return this.#withFile(command.side, command.which, (path) => this.#link(command.side, path, `${this.place.outside}/secret.txt`));
      case 'link folder':
        return this.#link(command.side, `skills/${command.skill}/deep`, this.place.outside);
      case 'clash':
        return this.#clash(command.side, `skills/${command.skill}`);
      case 'unlink':
        return this.#tidy(command.side);
    }
  }

  #newText(): string {
    this.#written += 1;
    return `${mark}${String(this.#written).padStart(digits, '0')}\n${'x'.repeat(this.#written % 50)}`;
  }

  async #withFile(side: Side, which: number, work: (path: string, version: Version) => Promise<void>): Promise<void> {
    const files = [...(await viewOf(this.place, side)).files].filter(([path]) => !path.includes('.ebbgate-'));
    const chosen = files[which % Math.max(1, files.length)];
    if (chosen !== undefined) await work(...chosen);
  }

  async #edit(side: Side, path: string, how: How, text = this.#newText()): Promise<void> {
    const view = await viewOf(this.place, side);
    if (!isFree(view, path) && !view.files.has(path)) return;
    const before = view.files.get(path);
    const hands = handsOf(this.place, side);
    const executable = before?.executable ?? path.endsWith('.sh');
    const start = mark.length + digits;
    if (how === 'stealth' && before !== undefined && before.text.length > start) {
      const same = `${text.slice(0, start)}${before.text.slice(start)}`;
      await hands.stealth(path, same);
      this.oracle.wrote(side, path, same);
    } else {
      await (how === 'replace' ? hands.replace : hands.write)(path, { text, executable });
      this.oracle.wrote(side, path, text);
    }
    if (before !== undefined) this.oracle.gaveUp(before.text);
  }

  async #remove(side: Side, path: string): Promise<void> {
    const view = await viewOf(this.place, side);
    const gone = [...view.files].filter(([file]) => file === path || file.startsWith(`${path}/`));
    if (gone.length === 0) return;
    await handsOf(this.place, side).remove(path);
    for (const [file, version] of gone) {
      this.oracle.gaveUp(version.text);
      this.oracle.tookAway(side, file, version);
    }
  }

  async #chmod(side: Side, path: string, { text, executable }: Version): Promise<void> {
    if (side === 'remote' && !this.options.executableBits) return;
    await handsOf(this.place, side).chmod(path, { text, executable: !executable });
  }

  async #rename(side: Side, from: string, to: string): Promise<void> {
    const view = await viewOf(this.place, side);
    if (!isFree(view, to) || to.startsWith(`${from}/`) || !(view.files.has(from) || view.folders.has(from))) return;
    const moved = [...view.files].filter(([file]) => file === from || file.startsWith(`${from}/`));
    await handsOf(this.place, side).rename(from, to);
    for (const [file, version] of moved) {
      this.oracle.tookAway(side, file, version);
      this.oracle.removed[side].delete(`${to}${file.slice(from.length)}`);
    }
  }

  async #link(side: Side, path: string, to: string): Promise<void> {
    const view = await viewOf(this.place, side);
    if (!view.files.has(path) && !view.folders.has(path)) return;
    await this.#remove(side, path);
    // An empty folder is none of a user's contents.
    if (view.folders.has(path))
      await handsOf(this.place, side)
        .remove(path)
        .catch(() => undefined);
    await handsOf(this.place, side).link(path, to);
  }

  /** A file where the other side has a folder. */
  async #clash(side: Side, path: string): Promise<void> {
    if (!(await viewOf(this.place, side)).folders.has(path)) return;
    await this.#remove(side, path);
    await handsOf(this.place, side)
      .remove(path)
      .catch(() => undefined);
    await this.#edit(side, path, 'in place');
  }

  /** Removes links, and files where the other side has a folder. */
  async #tidy(side: Side): Promise<void> {
    const view = await viewOf(this.place, side);
    const other = await viewOf(this.place, side === 'local' ? 'remote' : 'local');
    for (const path of view.others.keys()) await handsOf(this.place, side).remove(path);
    for (const path of view.files.keys()) if (other.folders.has(path)) await this.#remove(side, path);
  }
}

/** Whether nothing is at a path or in its way. */
function isFree(view: View, path: string): boolean {
  const names = path.split('/');
  const above = names.slice(0, -1).map((_, index) => names.slice(0, index + 1).join('/'));
  const isTaken = [path, ...above].some((one) => view.files.has(one) || view.others.has(one));
  return !isTaken && !view.folders.has(path);
}
