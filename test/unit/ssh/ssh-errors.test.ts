import { describe, expect, it } from 'vitest';
import { type SshPhase, translateOpenError, translateSshError } from '../../../electron/ssh/ssh-errors';

function failure(message: string, fields: Readonly<Record<string, unknown>>): Error {
  return Object.assign(new Error(message), fields);
}

describe('translateSshError', () => {
  const cases: readonly (readonly [string, Readonly<Record<string, unknown>>, SshPhase, string])[] = [
    ['a closed port', { code: 'ECONNREFUSED', level: 'client-socket' }, 'socket', 'ssh.refused'],
    ['an unknown name', { code: 'ENOTFOUND', level: 'client-socket' }, 'socket', 'ssh.unreachable'],
    ['no route', { code: 'EHOSTUNREACH', level: 'client-socket' }, 'socket', 'ssh.unreachable'],
    ['no network', { code: 'ENETUNREACH', level: 'client-socket' }, 'socket', 'ssh.unreachable'],
    ['a connect timeout of the system', { code: 'ETIMEDOUT', level: 'client-socket' }, 'socket', 'ssh.timed-out'],
    ['a silent server', { level: 'client-timeout' }, 'handshake', 'ssh.timed-out'],
    ['a failed key exchange', { level: 'handshake' }, 'handshake', 'ssh.protocol'],
    ['a server that does not speak SSH', { level: 'protocol' }, 'handshake', 'ssh.protocol'],
    ['a reset during the handshake', { code: 'ECONNRESET', level: 'client-socket' }, 'handshake', 'ssh.lost'],
    ['a rejected login', { level: 'client-authentication' }, 'authentication', 'ssh.auth-rejected'],
    ['too many rejected keys', { code: 2 }, 'authentication', 'ssh.auth-rejected'],
    ['a disconnect later on', { code: 2 }, 'open', 'ssh.lost'],
    ['a reset later on', { code: 'ECONNRESET', level: 'client-socket' }, 'open', 'ssh.lost'],
    ['an unreachable network later on', { code: 'EHOSTUNREACH', level: 'client-socket' }, 'open', 'ssh.lost'],
  ];

  it.each(cases)('tells %s', (_name, fields, phase, code) => {
    const context = { host: 'box', port: 22, user: 'ann', tried: ['key'], phase, seconds: 20 };
    expect(translateSshError(failure('said', fields), context).code).toBe(code);
  });

  it('strips terminal sequences from what the remote said', () => {
    const context = { host: 'box', port: 22, user: 'ann', tried: [], phase: 'open' as const, seconds: 20 };
    expect(translateSshError(failure('a\u001b[31mred\r\nline', {}), context).details).toMatchObject({ reason: 'a [31mred line' });
  });
});

describe('translateOpenError', () => {
  const place = { host: 'box', port: 22 };

  it('tells a refused channel from an account without the service', () => {
    expect(translateOpenError(failure('(SSH) Channel open failure: open failed', { reason: 2 }), place).code).toBe('ssh.protocol');
    expect(translateOpenError(new Error('Unable to start subsystem: sftp'), place).code).toBe('ssh.no-shell');
  });

  it('recognizes text where SFTP data belongs', () => {
    const length = Buffer.from('hell').readUInt32BE();
    expect(translateOpenError(new Error(`Packet length ${length} exceeds max length of 262144`), place).details).toEqual({
      host: 'box',
      detail: 'the remote prints text on login ("hell…") where SFTP data belongs',
    });
  });
});
