import type { PromptQuestion } from '../../shared/prompt';
import type { PersonAnswer } from './person';

/** Secrets that a person let this computer remember for one connection, by the name of what each opens. */
export interface RememberedSecrets {
  /** Null: there is none, or it cannot be read now. */
  get(name: string): Promise<string | null>;
  set(name: string, secret: string): Promise<void>;
  forget(name: string): Promise<void>;
}

/** `recalled`: in use and not known to be wrong. `wrong`: it was, and the person was not asked yet. */
type Stage = 'recalled' | 'wrong' | 'asked';

/** What one login on one machine remembers: a remembered secret is tried once, and a new one kept once it let somebody in. */
export class LoginMemory {
  private readonly stages = new Map<string, Stage>();
  private readonly fresh = new Map<string, string>();

  constructor(
    private readonly secrets: RememberedSecrets | null,
    private readonly machine: string,
  ) {}

  /** The remembered answer to a question; null: the person's turn. Asked a second time, the first answer was wrong and is forgotten. */
  async recall(question: PromptQuestion): Promise<string | null> {
    const name = this.nameOf(question);
    if (name === null || this.secrets === null) return null;
    if (this.stages.get(name) === 'recalled') await this.forget(name);
    if (this.stages.has(name)) return null;
    const secret = await this.secrets.get(name);
    if (secret !== null) this.stages.set(name, 'recalled');
    return secret;
  }

  /** The question as the person meets it: a wrong answer of ours was none of theirs. */
  reworded(question: PromptQuestion): PromptQuestion {
    const isOurs = this.stages.get(this.nameOf(question) ?? '') === 'wrong';
    return isOurs && 'again' in question ? { ...question, again: false } : question;
  }

  answered(question: PromptQuestion, { answers, remember }: PersonAnswer): void {
    const name = this.nameOf(question);
    if (name === null) return;
    this.stages.set(name, 'asked');
    this.fresh.delete(name);
    if (remember) this.fresh.set(name, answers[0] ?? '');
  }

  /** The login went through. A secret that cannot be kept is asked for the next time. */
  async accepted(): Promise<void> {
    for (const [name, secret] of this.fresh) await this.secrets?.set(name, secret).catch(() => undefined);
  }

  /** The server let nobody in. It need not ask again for a password that was wrong; a passphrase is known to be right by then. */
  async refused(): Promise<void> {
    const name = passwordOf(this.machine);
    if (this.stages.get(name) === 'recalled') await this.forget(name);
  }

  private async forget(name: string): Promise<void> {
    this.stages.set(name, 'wrong');
    // One that stays is wrong the next time as well, and nobody is worse off.
    await this.secrets?.forget(name).catch(() => undefined);
  }

  private nameOf(question: PromptQuestion): string | null {
    if (question.kind === 'passphrase') return `passphrase of ${question.file}`;
    return question.kind === 'password' ? passwordOf(this.machine) : null;
  }
}

function passwordOf(machine: string): string {
  return `password of ${machine}`;
}
