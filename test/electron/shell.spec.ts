import { expect, test } from '@playwright/test';
import { type Ground, startGround } from '../app-shell/desk';
import { deskFlows } from '../app-shell/flows';
import { type DrivenApp, startDrivenApp } from './driven-app';

let ground: Ground;
let app: DrivenApp;

test.beforeAll(async () => {
  ground = await startGround();
});
test.afterAll(() => ground.stop());
test.beforeEach(async () => {
  await ground.next();
  app = await startDrivenApp();
});
test.afterEach(async () => {
  ground.gate.open();
  await app.dispose();
});

test('the window is sandboxed and reaches the application through the bridge alone', async () => {
  const page = await app.electron.firstWindow();
  await expect(page).toHaveTitle('Ebbgate');
  const seen = await page.evaluate(() => ({
    node: ['require', 'process', 'module'].filter((name) => name in globalThis),
    bridge: Object.keys((globalThis as unknown as { ebbgate: object }).ebbgate).sort(),
  }));
  expect(seen).toEqual({ node: [], bridge: ['call', 'canNotify', 'listen'] });
});

for (const { name, run } of deskFlows) test(name, () => run(app, ground));
