import { describe, expect, it } from 'vitest';
import { checkParams, schemas } from '../../../electron/ipc/schemas';
import { requestNames } from '../../../shared/contract';
import { allowableGuards } from '../../../shared/run-report';

const address = { kind: 'address', user: 'u', host: 'h', port: 22 };

describe('checkParams', () => {
  it('knows every request of the contract', () => {
    expect(Object.keys(schemas).sort()).toEqual([...requestNames].sort());
  });

  it.each([
    ['connection.add', { name: 'box', address, roots: ['skills'], identityFile: undefined }],
    ['connection.add', { name: 'box', address: { kind: 'alias', alias: 'a' }, newSkills: 'review', useSshConfig: false }],
    ['session.start', { connection: 'box', allow: [...allowableGuards] }],
    ['preview', { connection: 'box', direction: 'push' }],
    ['inspect', { connection: 'box', side: 'both' }],
    ['history.list', { limit: 30 }],
    ['settings.change', { language: 'pt-BR', idleEndMinutes: null }],
    ['status', {}],
  ] as const)('accepts %s with %j', (name, params) => {
    expect(checkParams(name, params)).toEqual({ ok: true, params });
  });

  it.each([
    ['status', { extra: 1 }, /status: .*extra/],
    ['status', null, /status/],
    ['connection.remove', {}, /connection\.remove, connection/],
    ['connection.remove', { connection: '' }, /connection/],
    ['connection.add', { name: 'box', address: { ...address, password: 'x' } }, /address/],
    ['connection.add', { name: 'box', address: { kind: 'address', user: 'u', host: 'h', port: 2.5 } }, /port/],
    ['session.end', { connection: 'box', allow: ['same-folder'] }, /cannot be let through/],
    ['session.end', { connection: 'box', allow: ['nonsense'] }, /allow/],
    ['session.end', { connection: 'box' }, /allow/],
    ['preview', { connection: 'box', direction: 'undo' }, /direction/],
    ['history.list', { limit: 0 }, /limit/],
    ['settings.change', { language: 'de' }, /language/],
    ['settings.change', { idleEndMinutes: 0 }, /idleEndMinutes/],
    ['settings.change', { theme: 'dark' }, /theme/],
  ] as const)('refuses %s with %j in words', (name, params, words) => {
    const checked = checkParams(name, params);
    expect(checked.ok ? '' : checked.what).toMatch(words);
  });
});
