import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { autostartEntry, autostartFile, setAutostart } from '../../../electron/shell/autostart';
import { makeTempFolder, removeTempFolder } from '../../support/tree';

let folder: string;
beforeEach(async () => {
  folder = await makeTempFolder('autostart');
});
afterEach(() => removeTempFolder(folder));

const start = { program: '/opt/Ebbgate/ebbgate', args: ['--hidden'] };

describe('autostartFile', () => {
  it.each([
    ['in the configuration folder', { XDG_CONFIG_HOME: '/cfg' }, '/cfg/autostart/ebbgate.desktop'],
    ['below the home without one', {}, '/home/me/.config/autostart/ebbgate.desktop'],
    ['below the home when the given one is not absolute', { XDG_CONFIG_HOME: 'cfg' }, '/home/me/.config/autostart/ebbgate.desktop'],
  ])('is %s', (_where, env, file) => {
    expect(autostartFile(env, '/home/me')).toBe(file);
  });
});

describe('autostartEntry', () => {
  it('starts this program without its window', () => {
    expect(autostartEntry(start).split('\n')).toContain('Exec="/opt/Ebbgate/ebbgate" "--hidden"');
  });

  it.each([
    ['a space', '/opt/my apps/e', '"/opt/my apps/e"'],
    ['a percent sign, which would be a field code', '/opt/50%f', '"/opt/50%%f"'],
    ['what a shell would expand', '/opt/$(touch x)`y`', '"/opt/\\\\$(touch x)\\\\`y\\\\`"'],
    ['a quotation mark', '/opt/"e"', '"/opt/\\\\"e\\\\""'],
    ['a backslash', '/opt/a\\b', '"/opt/a\\\\\\\\b"'],
    ['a line break, which would begin another key', '/opt/a\nExec=b', '"/opt/a\\nExec=b"'],
  ])('takes a path with %s literally', (_what, program, exec) => {
    expect(autostartEntry({ program, args: [] })).toContain(`\nExec=${exec}\n`);
  });
});

describe('setAutostart', () => {
  it('writes a private file, replaces it, and leaves nothing else beside it', async () => {
    const file = join(folder, 'config/autostart/ebbgate.desktop');
    await setAutostart(file, { ...start, program: '/old' });
    await setAutostart(file, start);
    expect(readFileSync(file, 'utf8')).toBe(autostartEntry(start));
    expect([readdirSync(dirname(file)), statSync(file).mode & 0o777]).toEqual([['ebbgate.desktop'], 0o600]);
  });

  it('removes it, and is content when there is none', async () => {
    const file = join(folder, 'autostart/ebbgate.desktop');
    mkdirSync(dirname(file), { recursive: true });
    await setAutostart(file, null);
    await setAutostart(file, start);
    await setAutostart(file, null);
    expect(readdirSync(dirname(file))).toEqual([]);
  });
});
