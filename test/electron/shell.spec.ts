import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { _electron, expect, test } from '@playwright/test';

const root = resolve(import.meta.dirname, '../..');
let home = '';

test.beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'ebbgate-electron-'));
});

test.afterEach(() => rmSync(home, { recursive: true, force: true }));

function launch() {
  const { DBUS_SESSION_BUS_ADDRESS: _bus, SSH_AUTH_SOCK: _agent, ...inherited } = process.env;
  const env = { ...inherited, HOME: home, HERMES_HOME: join(home, '.hermes'), EBBGATE_DATA_DIR: join(home, 'data') } as Record<
    string,
    string
  >;
  // Chromium's own sandbox refuses to run as root.
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return _electron.launch({ args: [...asRoot, `--user-data-dir=${join(home, 'electron')}`, root], env });
}

test('opens a sandboxed window that reaches the application through the bridge alone', async () => {
  const app = await launch();
  const page = await app.firstWindow();
  await expect(page).toHaveTitle('Ebbgate');
  expect(page.url()).toBe('ebbgate://app/index.html');
  const seen = await page.evaluate(async () => ({
    node: ['require', 'process', 'module'].filter((name) => name in globalThis),
    status: await (globalThis as unknown as { ebbgate: { call(name: string, params: object): Promise<unknown> } }).ebbgate.call(
      'status',
      {},
    ),
  }));
  expect(seen).toEqual({ node: [], status: { ok: true, value: { connections: [], needsYou: 0 } } });
  await app.close();
});

test('lets a second start end quietly', async () => {
  const first = await launch();
  await first.firstWindow();
  const second = await launch().catch((error: unknown) => error);
  expect(second).toBeInstanceOf(Error);
  expect(first.windows()).toHaveLength(1);
  await first.close();
});
