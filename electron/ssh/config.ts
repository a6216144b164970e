import { userInfo } from 'node:os';
import type { Connection } from '../../shared/connection';
import { AppError } from '../../shared/errors';
import { chooseAgents } from './agent-choice';
import { algorithmsOf } from './algorithms';
import { askConfigFiles, askOpenSsh, homeOf, type OpenSshAnswer } from './openssh-config';
import { hostKeyAlgorithms, identities, keepalive, knownHostsFiles, loginMethodsOf, refuseUnsupported } from './options';
import { directRoute, type SshEnvironment, type SshRoute, type SshTarget } from './target';

/** A machine as somebody names it: the connection's address, or a hop of a `ProxyJump`. */
interface Named {
  readonly name: string;
  /** Null: not stated. */
  readonly user: string | null;
  readonly port: number | null;
  /** The name is the address itself, whatever `HostName` says. */
  readonly isAddress: boolean;
}

/**
 * Everything needed to connect. Values come from OpenSSH's own reading of the configuration where that is wanted and
 * installed, and from the files otherwise; what the connection itself states wins. What cannot be honoured fails with
 * `connection.unsupported-option`. Nothing is sent.
 */
export async function resolveTarget(connection: Connection, env: SshEnvironment): Promise<SshTarget> {
  const { address } = connection;
  const named: Named =
    address.kind === 'alias'
      ? { name: address.alias, user: null, port: null, isAddress: false }
      : { name: address.host, user: address.user || null, port: address.port, isAddress: true };
  if (!connection.useSshConfig && address.kind === 'alias') {
    const reason = 'the SSH configuration is switched off for this connection';
    throw new AppError('connection.alias-unresolved', { alias: address.alias, reason });
  }
  return new Resolver(connection, env).resolve(named, connection.identityFile, null, []);
}

class Resolver {
  private readonly home: string;

  constructor(
    private readonly connection: Connection,
    private readonly env: SshEnvironment,
  ) {
    this.home = homeOf(env);
  }

  /** `given`: the way to the machine where that is settled already. `trail`: the machines whose way leads through this one. */
  async resolve(named: Named, identityFile: string | null, given: SshRoute | null, trail: readonly string[]): Promise<SshTarget> {
    checkName(named);
    const { connection, env, home } = this;
    const answer = connection.useSshConfig ? ((await askOpenSsh(named, env, home)) ?? (await askConfigFiles(named, env, home))) : null;
    const host = named.isAddress ? named.name : (answer?.first('hostname') ?? named.name);
    const user = named.user ?? answer?.first('user') ?? userInfo().username;
    const port = named.port ?? Number(answer?.first('port') ?? 22);
    refuseUnsupported(named.name, answer, identityFile !== null);
    return {
      ...{ host, port, user },
      ...identities(identityFile, answer, home),
      agentSockets: chooseAgents(answer?.first('identityagent') ?? null, { platform: process.platform, env, home }),
      knownHostsFiles: connection.knownHostsFile === null ? knownHostsFiles(answer, home) : [connection.knownHostsFile],
      hostKeyAlias: answer?.first('hostkeyalias') ?? null,
      hostKeyAlgorithms: hostKeyAlgorithms(answer),
      algorithms: algorithmsOf(named.name, answer),
      loginMethods: loginMethodsOf(answer),
      asks: answer?.first('batchmode') !== 'yes',
      keepalive: keepalive(answer),
      route: given ?? (await this.routeTo({ name: named.name, host, port, user }, answer, trail)),
    };
  }

  private async routeTo(place: Place, answer: OpenSshAnswer | null, trail: readonly string[]): Promise<SshRoute> {
    const jump = answer?.first('proxyjump') ?? 'none';
    if (jump.toLowerCase() !== 'none') return this.routeThrough(place, fillIn(jump, place), [...trail, place.name]);
    const command = answer?.first('proxycommand') ?? 'none';
    if (command.toLowerCase() !== 'none') return { kind: 'command', command: commandFor(command, place) };
    const family = answer?.first('addressfamily');
    return {
      kind: 'direct',
      family: family === 'inet' ? 4 : family === 'inet6' ? 6 : 0,
      bindAddress: answer?.first('bindaddress') ?? null,
    };
  }

  /** Hops are visited in order; each is resolved by its own name, and only the first may have a way of its own. */
  private async routeThrough({ name }: Place, jump: string, trail: readonly string[]): Promise<SshRoute> {
    let route: SshRoute | null = null;
    for (const text of jump.split(',')) {
      const hop = parseHop(name, text.trim());
      if (trail.includes(hop.name)) {
        const reason = `the way to ${name} leads through ${hop.name} and back again`;
        throw new AppError('connection.unsupported-option', { host: name, option: 'ProxyJump', reason });
      }
      route = { kind: 'jump', via: await this.resolve(hop, null, route, trail) };
    }
    return route ?? directRoute;
  }
}

interface Place {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly user: string;
}

// A name that begins with a dash would be read as an option; blanks and control characters are never part of one.
function checkName({ name, user }: Named): void {
  for (const word of user === null ? [name] : [name, user]) {
    if (word !== '' && !word.startsWith('-') && !/[\s\p{Cc}]/u.test(word)) continue;
    throw new AppError('usage.invalid', { what: `"${word}" cannot be part of a remote's address.` });
  }
}

/** `[user@]host[:port]`, the host perhaps in brackets, perhaps as an `ssh://` address. */
function parseHop(name: string, text: string): Named {
  const match = /^(?:ssh:\/\/)?(?:(.+)@)?(?:\[([^\]]+)\]|([^:[\]@]+))(?::(\d+))?\/?$/i.exec(text);
  if (match === null) {
    const reason = `"${text}" is no [user@]host[:port]`;
    throw new AppError('connection.unsupported-option', { host: name, option: 'ProxyJump', reason });
  }
  const [, user = null, bracketed, plain, port] = match;
  return { name: bracketed ?? plain ?? '', user, port: port === undefined ? null : Number(port), isAddress: false };
}

/** ssh_config(5), TOKENS: what OpenSSH fills into `ProxyJump` and `ProxyCommand` as it connects. */
function fillIn(text: string, { name, host, port, user }: Place): string {
  const tokens: Readonly<Record<string, string>> = { '%%': '%', '%h': host, '%n': name, '%p': String(port), '%r': user };
  return text.replace(/%[%hnpr]/g, (token) => tokens[token] ?? token);
}

// The command goes through a shell: a name that holds the shell's own characters could make another command of it.
function commandFor(command: string, place: Place): string {
  for (const word of [place.name, place.host, place.user]) {
    if (!/['"`$\\;&<>|(){}*?!~#\s]/.test(word)) continue;
    const reason = `"${word}" holds characters that a shell would read as more than a name`;
    throw new AppError('connection.unsupported-option', { host: place.name, option: 'ProxyCommand', reason });
  }
  return fillIn(command, place);
}
