import type { AnyAuthMethod } from 'ssh2';
import { showAddress } from '../../shared/connection';
import { AppError } from '../../shared/errors';
import type { PromptQuestion } from '../../shared/prompt';
import { type AgentKeys, listAgentKeys, SelectedAgent } from './agent';
import { type KeyFile, readKeyFile } from './key-file';
import { LockedKey, type UnlockedKeys } from './locked-key';
import { LoginMemory, type RememberedSecrets } from './login-memory';
import type { Person } from './person';
import type { LoginMethod, SshTarget } from './target';

/** What one login may turn to. */
export interface LoginOptions {
  /** Null: nobody is asked. */
  readonly person: Person | null;
  /** Null: nothing can be remembered. */
  readonly remembered: RememberedSecrets | null;
  readonly unlocked: UnlockedKeys;
  /** Fires when the attempt is over. */
  readonly signal: AbortSignal;
}

/** One way to log in, made ready only when its turn comes. */
interface Step {
  readonly kind: LoginMethod | 'none';
  /** Names it in an error; null for what says nothing. */
  readonly label: string | null;
  /** Null: not to be had, so the next one's turn. */
  ready(): Promise<AnyAuthMethod | null>;
}

/** Wrong answers to the same question; OpenSSH asks as often (ssh_config(5), NumberOfPasswordPrompts). */
const answerTries = 3;
/** Milliseconds after which a silent agent counts as waiting for its owner. */
const agentPauseMs = 500;

/** Decides what may be offered. Fails before any connection when the configured identity cannot be used. */
export async function planLogin(target: SshTarget, options: LoginOptions): Promise<Login> {
  const agents: AgentKeys[] = [];
  for (const socket of target.agentSockets) agents.push(await listAgentKeys(socket));
  const files: KeyFile[] = [];
  for (const file of target.identityFiles) files.push(await readKeyFile(file));
  return new Login(target, options, agents, files);
}

/** The ordered plan of one login, and how far it came. */
export class Login {
  readonly tried: string[] = [];
  /** What the login waits for outside this program, as the error it would be; null while it waits for nothing. */
  pending: AppError | null = null;
  /** Called when the person gives up. */
  onGiveUp: (error: AppError) => void = () => undefined;
  readonly memory: LoginMemory;
  private readonly person: Person | null;
  private readonly machine: string;
  private readonly steps: Step[];
  private left: readonly string[] | null = null;
  /** What the last question would be as an error. */
  private asked: AppError | null = null;

  constructor(
    private readonly target: SshTarget,
    private readonly options: LoginOptions,
    private readonly agents: readonly AgentKeys[],
    private readonly files: readonly KeyFile[],
  ) {
    this.person = target.asks ? options.person : null;
    this.machine = showAddress({ kind: 'address', user: target.user, host: target.host, port: target.port });
    this.memory = new LoginMemory(options.remembered, this.machine);
    const byMethod: Readonly<Record<LoginMethod, readonly Step[]>> = {
      publickey: [...this.agentSteps(), ...this.fileSteps(), ...this.lockedSteps()],
      'keyboard-interactive': this.person === null ? [] : this.interactiveSteps(),
      password: this.person === null ? [] : this.passwordSteps(),
    };
    this.steps = target.loginMethods.flatMap((method) => byMethod[method]);
    if (byMethod.publickey.length > 0) return;
    if (this.person === null) this.failForLackOfKeys();
    // Costs nothing, tells what is left, and is all that some servers want.
    this.steps.unshift({ kind: 'none', label: null, ready: async () => ({ type: 'none', username: target.user }) });
  }

  /** The next method to offer; null when nothing is left. `left`: what the server still takes, null while it has not said. */
  async next(left: readonly string[] | null): Promise<AnyAuthMethod | null> {
    this.left = left ?? this.left;
    for (let step = this.steps.shift(); step !== undefined; step = this.steps.shift()) {
      if (step.kind !== 'none' && this.left !== null && !this.left.includes(step.kind)) continue;
      // Nobody should type a password that the server may not even want.
      if (step.kind === 'password' && this.left === null) continue;
      const method = await step.ready();
      if (method === null) continue;
      if (step.label !== null) this.tried.push(step.label);
      return method;
    }
    return null;
  }

  /** Why nothing was accepted, where that is more than the server's refusal. */
  refusal(): AppError | null {
    const broken = this.files.find((file) => file.kind === 'unusable' && !this.isHeld(file));
    if (broken?.kind === 'unusable' && this.target.identitiesOnly) {
      return new AppError('ssh.key-unusable', { file: broken.file, reason: broken.reason });
    }
    const locked = this.files.find((file) => file.kind === 'encrypted' && !this.isHeld(file));
    // The last question was for a passphrase: none of the answers opened the key.
    if (this.person !== null) return this.asked?.code === 'ssh.passphrase-needed' ? this.asked : null;
    if (locked) return new AppError('ssh.passphrase-needed', { file: locked.file });
    const wanted = this.target.loginMethods.filter((method) => method !== 'publickey' && this.left?.includes(method));
    return wanted.length > 0 ? this.answerNeeded() : null;
  }

  /** The agents' outcome in words: part of what was tried. */
  private agentSteps(): readonly Step[] {
    const { target } = this;
    return this.agents.map((agent) => {
      const configured = agent.keys.filter((key) => this.files.some((file) => file.publicBlob?.equals(key.getPublicSSH())));
      const others = target.identitiesOnly ? [] : agent.keys.filter((key) => !configured.includes(key));
      const keys = [...configured, ...others];
      const names = keys.map((key) => key.comment || key.type);
      const label = keys.length > 0 ? `agent (${names.join(', ')})` : `agent (${agent.trouble ?? 'it holds none of the keys to offer'})`;
      const waits = (key: string): (() => void) => this.waitForAgent(key);
      return {
        kind: 'publickey',
        label,
        ready: async () => {
          if (keys.length > 0) return { type: 'agent', username: target.user, agent: new SelectedAgent(agent.agent, keys, waits) };
          this.tried.push(label);
          return null;
        },
      };
    });
  }

  private isHeld({ publicBlob }: KeyFile): boolean {
    return this.agents.some(({ keys }) => keys.some((key) => publicBlob?.equals(key.getPublicSSH())));
  }

  private fileSteps(): readonly Step[] {
    return this.files.flatMap((file) => {
      // A key the agent holds was offered already; a second offer would only use up the server's attempts.
      if (file.kind !== 'usable' || this.isHeld(file)) return [];
      const { key } = file;
      return [{ kind: 'publickey', label: file.file, ready: async () => ({ type: 'publickey', username: this.target.user, key }) }];
    });
  }

  /** The passphrase is asked for only when the server wants the key, as long as its public half is known. */
  private lockedSteps(): readonly Step[] {
    const { person, target } = this;
    if (person === null) return [];
    return this.files.flatMap((file) => {
      if (file.kind !== 'encrypted' || this.isHeld(file)) return [];
      const ask = (again: boolean): Promise<string | null> => this.askOne({ kind: 'passphrase', file: file.file, again });
      const agent = new LockedKey(file, this.options.unlocked, ask, answerTries);
      return [{ kind: 'publickey', label: file.file, ready: async () => ({ type: 'agent', username: target.user, agent }) }];
    });
  }

  private interactiveSteps(): readonly Step[] {
    let wasAsked = true;
    return Array.from({ length: answerTries }, () => ({
      kind: 'keyboard-interactive',
      label: 'keyboard-interactive',
      ready: async () => {
        // A server that refused without asking anything will not ask the next time either.
        if (!wasAsked) return null;
        wasAsked = false;
        return {
          type: 'keyboard-interactive',
          username: this.target.user,
          prompt: (title, instructions, _language, fields, finish) => {
            wasAsked = true;
            const shown = fields.map(({ prompt, echo }) => ({ text: prompt, echo: echo === true }));
            void this.ask({ kind: 'interactive', title, instructions, fields: shown }).then((answers) => {
              if (answers !== null) finish([...answers]);
            });
          },
        };
      },
    }));
  }

  private passwordSteps(): readonly Step[] {
    return Array.from({ length: answerTries }, (_none, index) => ({
      kind: 'password',
      label: 'password',
      ready: async () => {
        const password = await this.askOne({ kind: 'password', again: index > 0 });
        return password === null ? null : { type: 'password', username: this.target.user, password };
      },
    }));
  }

  private async askOne(question: PromptQuestion): Promise<string | null> {
    return (await this.ask(question))?.[0] ?? null;
  }

  /** The answers; null when there are none, and then the attempt is given up. */
  private async ask(question: PromptQuestion): Promise<readonly string[] | null> {
    const remembered = await this.memory.recall(question);
    if (remembered !== null) return [remembered];
    const error = question.kind === 'passphrase' ? new AppError('ssh.passphrase-needed', { file: question.file }) : this.answerNeeded();
    this.asked = error;
    this.pending = error;
    const asked = this.memory.reworded(question);
    const answer = (await this.person?.ask(this.machine, asked, this.options.signal)) ?? null;
    this.pending = null;
    if (answer === null) {
      this.steps.length = 0;
      this.onGiveUp(error);
      return null;
    }
    this.memory.answered(question, answer);
    return answer.answers;
  }

  /** Tells that the agent is waited for, once it takes longer than a signature does. Returns the end of it. */
  private waitForAgent(key: string): () => void {
    const { host, port } = this.target;
    const error = new AppError('ssh.agent-waiting', { host, port, keys: [key] });
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, this.options.signal]);
    const timer = setTimeout(() => {
      this.pending = error;
      void this.person?.ask(this.machine, { kind: 'agent', keys: [key] }, signal).then(() => {
        if (!signal.aborted) this.onGiveUp(error);
      });
    }, agentPauseMs);
    return () => {
      clearTimeout(timer);
      if (this.pending === error) this.pending = null;
      over.abort();
    };
  }

  private answerNeeded(): AppError {
    const { user, host, port } = this.target;
    return new AppError('ssh.answer-needed', { user, host, port, tried: [...this.tried] });
  }

  // With nothing to offer at all, the reason is worth more than the server's refusal.
  private failForLackOfKeys(): void {
    const locked = this.files.find((file) => file.kind === 'encrypted');
    if (locked) throw new AppError('ssh.passphrase-needed', { file: locked.file });
    const broken = this.files.find((file) => file.kind === 'unusable' || file.kind === 'public-only');
    if (!broken) return;
    const reason = broken.kind === 'unusable' ? broken.reason : 'it is a public key, and the SSH agent does not hold the private one';
    throw new AppError('ssh.key-unusable', { file: broken.file, reason });
  }
}
