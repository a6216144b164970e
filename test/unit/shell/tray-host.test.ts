import { describe, expect, it } from 'vitest';
import { hasTrayHost } from '../../../electron/shell/tray-host';

describe('hasTrayHost', () => {
  it('asks nobody where the system always shows icons', async () => {
    const ask = () => Promise.reject(new Error('must not be asked'));
    expect([await hasTrayHost('darwin', ask), await hasTrayHost('win32', ask)]).toEqual([true, true]);
  });

  it('asks the session bus on Linux for the service that draws icons', async () => {
    const asked: string[] = [];
    const seen = await hasTrayHost('linux', async (program, args) => {
      asked.push([program, ...args].join(' '));
      return 'method return\n   boolean true\n';
    });
    expect(seen).toBe(true);
    expect(asked).toEqual([expect.stringMatching(/^dbus-send --session .*NameHasOwner string:org\.kde\.StatusNotifierWatcher$/)]);
  });

  it.each([
    ['it has no owner', 'method return\n   boolean false\n'],
    ['the bus does not answer', null],
  ])('sees none when %s', async (_why, answer) => {
    expect(await hasTrayHost('linux', async () => answer)).toBe(false);
  });
});
