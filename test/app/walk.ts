import type { Page } from '@playwright/test';
import { AppError, toWireError } from '../../shared/errors';
import type { ScriptedHost } from '../support/scripted-host';
import { expect } from './fixtures';
import { fillRichly } from './rich-scene';

interface Screen {
  readonly name: string;
  readonly hash: string;
  /** What must be there before anybody looks. */
  readonly ready: string;
  /** What makes the screen show what it is about. */
  readonly act?: (page: Page, host: ScriptedHost) => Promise<void>;
}

const unknownKey = 'SHA256:9mXc1Tn5bQ0e0m4mXb1m8o2w3x4y5z6A7B8C9D0E1F2';

async function addFirst(page: Page): Promise<void> {
  await page.locator('.proposal button').first().click();
}

/** Gives the page what the preload script gives the app's own window, over the loopback host. */
async function asDesktop(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const call = async (name: string, params: unknown) => {
      const headers = { 'content-type': 'application/json' };
      return (await fetch(`/api/${name}`, { method: 'POST', headers, body: JSON.stringify(params) })).json();
    };
    Object.assign(window, { ebbgate: { call, listen: () => () => undefined } });
  });
  await page.reload();
}

/** Every screen of the window, in the order of a user's first weeks. Selectors hold in every language. */
export const screens: readonly Screen[] = [
  { name: 'empty', hash: '#/', ready: '.empty', act: async (_page, host) => host.show([]) },
  { name: 'connections', hash: '#/', ready: '.row' },
  { name: 'add', hash: '#/add', ready: '.proposal' },
  { name: 'add-preview', hash: '#/add', ready: '.ledger', act: addFirst },
  {
    name: 'add-unknown-key',
    hash: '#/add',
    ready: '.card.stop',
    act: async (page, host) => {
      const box = { host: 'build-box.example', port: 22 };
      const check = {
        id: 'host-key',
        ok: false,
        detail: 'ssh.host-key-unknown',
        fix: null,
        unknownKey,
        error: toWireError(
          new AppError('ssh.host-key-unknown', { ...box, keyType: 'ssh-ed25519', fingerprint: unknownKey, authority: null }),
        ),
      };
      host.answer('connection.test', () => ({ ok: true, value: { ok: false, checks: [check] } }));
      await addFirst(page);
    },
  },
  { name: 'connection-held', hash: '#/connection/c-hetzner', ready: '.item' },
  {
    name: 'inbox-item',
    hash: '#/connection/c-hetzner',
    ready: '.diff',
    act: async (page) => page.locator('.item').nth(1).click(),
  },
  { name: 'growth', hash: '#/connection/c-hetzner', ready: '.choices', act: async (page) => page.locator('.item').first().click() },
  { name: 'first-session', hash: '#/connection/c-gpu', ready: '.card.hold' },
  { name: 'working', hash: '#/connection/c-build', ready: 'progress' },
  { name: 'offline', hash: '#/connection/c-phone', ready: '.card.stop' },
  { name: 'never-used', hash: '#/connection/c-nas', ready: '.place' },
  {
    name: 'prune',
    hash: '#/connection/c-hetzner',
    ready: '.plan',
    act: async (page) => page.locator('.restore button').first().click(),
  },
  { name: 'history', hash: '#/history', ready: '.run' },
  { name: 'history-none', hash: '#/history', ready: '.actions button', act: async (page) => page.locator('[type=search]').fill('nowhere') },
  { name: 'run', hash: '#/run/run-full', ready: '.path' },
  { name: 'run-failed', hash: '#/run/run-failed', ready: '.card.stop' },
  { name: 'inspection', hash: '#/inspection/c-hetzner', ready: '.sides' },
  { name: 'clean', hash: '#/inspection/c-hetzner', ready: '.plan', act: async (page) => page.locator('.restore button').first().click() },
  { name: 'settings', hash: '#/settings', ready: '.setting' },
  {
    name: 'passphrase',
    hash: '#/',
    ready: 'dialog',
    act: async (_page, host) => {
      const question = { kind: 'passphrase', file: '/home/ada/.ssh/id_ed25519', again: true } as const;
      const connection = { id: 'c-hetzner', name: 'hetzner-1' };
      const prompts = [{ id: 'p', connection, machine: 'ada@hetzner-1.example', question, canRemember: true }];
      host.answer('prompt.list', () => ({ ok: true, value: { prompts } }));
    },
  },
  // from here on the page has the bridge of the app's own window, so this one stays the last
  { name: 'settings-desktop', hash: '#/settings', ready: 'input[type=checkbox]', act: asDesktop },
];

/** All screens, in parts of which each is walked in reasonable time. */
export const parts: readonly (readonly Screen[])[] = [screens.slice(0, 7), screens.slice(7, 14), screens.slice(14)];

/** Opens these screens in turn, with everything on it that it can show, and lets `look` look at it. */
export async function walk(
  page: Page,
  host: ScriptedHost,
  walked: readonly Screen[],
  look: (name: string) => Promise<void>,
): Promise<void> {
  for (const { name, hash, ready, act } of walked) {
    fillRichly(host);
    host.answer('prompt.list', () => ({ ok: true, value: { prompts: [] } }));
    const before = act !== undefined && (name === 'empty' || name === 'passphrase');
    if (before) await act(page, host);
    await page.evaluate((to) => {
      window.location.hash = to;
    }, hash);
    await page.reload();
    if (!before) await act?.(page, host);
    await expect(page.locator(ready).first(), name).toBeVisible();
    await look(name);
  }
}
