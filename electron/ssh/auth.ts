import type { AnyAuthMethod } from 'ssh2';
import { AppError } from '../../shared/errors';
import { type AgentKeys, listAgentKeys, SelectedAgent } from './agent';
import { type KeyFile, readKeyFile } from './key-file';
import type { SshTarget } from './target';

/** The login methods to offer in order, each with the words that name it in an error. */
export interface AuthPlan {
  readonly offers: readonly { readonly method: AnyAuthMethod; readonly label: string }[];
}

/** Decides what may be offered. Fails before any connection when the configured identity cannot be used. */
export async function planAuthentication(target: SshTarget): Promise<AuthPlan> {
  const agent = target.agentSocket === null ? null : await listAgentKeys(target.agentSocket);
  const files: KeyFile[] = [];
  for (const file of target.identityFiles) files.push(await readKeyFile(file));
  const offers = [...agentOffers(target, agent, files), ...fileOffers(target, agent, files)];
  if (offers.length === 0) failForLackOfKeys(files);
  return { offers };
}

function agentOffers(target: SshTarget, agent: AgentKeys | null, files: readonly KeyFile[]): AuthPlan['offers'] {
  if (agent === null) return [];
  const configured = agent.keys.filter((key) => files.some((file) => file.publicBlob?.equals(key.getPublicSSH())));
  const others = target.identitiesOnly ? [] : agent.keys.filter((key) => !configured.includes(key));
  const keys = [...configured, ...others];
  if (keys.length === 0) return [];
  const names = keys.map((key) => key.comment || key.type).join(', ');
  return [{ method: { type: 'agent', username: target.user, agent: new SelectedAgent(agent.agent, keys) }, label: `agent (${names})` }];
}

function fileOffers(target: SshTarget, agent: AgentKeys | null, files: readonly KeyFile[]): AuthPlan['offers'] {
  const held = (file: KeyFile): boolean => agent?.keys.some((key) => file.publicBlob?.equals(key.getPublicSSH())) ?? false;
  return files.flatMap((file) => {
    // A key the agent holds was offered already; a second offer would only use up the server's attempts.
    if (file.kind !== 'usable' || held(file)) return [];
    return [{ method: { type: 'publickey', username: target.user, key: file.key }, label: file.file }];
  });
}

// With nothing to offer at all, the reason is worth more than the server's refusal.
function failForLackOfKeys(files: readonly KeyFile[]): void {
  const locked = files.find((file) => file.kind === 'encrypted');
  if (locked) throw new AppError('ssh.passphrase-needed', { file: locked.file });
  const broken = files.find((file) => file.kind === 'unusable' || file.kind === 'public-only');
  if (!broken) return;
  const reason = broken.kind === 'unusable' ? broken.reason : 'it is a public key, and the SSH agent does not hold the private one';
  throw new AppError('ssh.key-unusable', { file: broken.file, reason });
}
