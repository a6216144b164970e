import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, openConnection, test } from '../app/real-fixtures';
import { cannedReport, fullLedger } from '../support/canned';
import type { RealAppOptions } from '../support/real-app';
import { type Tree, writeTree } from '../support/tree';

/** Prints figures beside their goal; nothing here fails for being slow. */
function print(what: string, values: readonly number[], unit: string, goal: string): void {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN).toFixed(1);
  console.log(`${what}: median ${at(0.5)}, 95 % ${at(0.95)}, most ${at(1)} ${unit} (${values.length} measured; goal ${goal})`);
}

/** Notes when an element was first painted, in milliseconds since the page was asked for. */
async function notePaint(page: Page, selector: string): Promise<void> {
  await page.addInitScript((wanted) => {
    const seen = new MutationObserver(() => {
      if (document.querySelector(wanted) === null) return;
      seen.disconnect();
      requestAnimationFrame(() => setTimeout(() => Object.assign(window, { paintedAt: performance.now() })));
    });
    seen.observe(document, { childList: true, subtree: true });
  }, selector);
}

async function paintedAt(page: Page): Promise<number> {
  const read = () => page.evaluate(() => (window as unknown as { paintedAt?: number }).paintedAt ?? null);
  await expect.poll(read).not.toBeNull();
  return (await read()) ?? Number.NaN;
}

/** From each key press to the paint after it, in milliseconds. */
async function watchKeys(page: Page): Promise<() => Promise<readonly number[]>> {
  await page.evaluate(() => {
    const delays: number[] = [];
    Object.assign(window, { keyDelays: delays });
    const note = ({ timeStamp }: Event) => requestAnimationFrame(() => setTimeout(() => delays.push(performance.now() - timeStamp)));
    window.addEventListener('keydown', note, { capture: true });
  });
  return () => page.evaluate(() => (window as unknown as { keyDelays: number[] }).keyDelays);
}

/** Lays so many past runs of the only connection into the data folder, two an hour. */
async function layHistory(dataDir: string, count: number): Promise<void> {
  const state = JSON.parse(await readFile(join(dataDir, 'state.json'), 'utf8')) as { connections: readonly { id: string; name: string }[] };
  const [{ id, name } = { id: '', name: '' }] = state.connections;
  const paths = Array.from({ length: 20 }, (_, index) => {
    return { path: `skills/notes-${index}/SKILL.md`, outcome: 'written', change: 'update', bytes: 4000, reason: '' } as const;
  });
  const runs = Array.from({ length: count }, (_, index) => {
    const at = new Date(Date.now() - (count - index) * 1_800_000).toISOString();
    const kind = index % 2 === 0 ? 'push' : 'sync-back';
    return cannedReport({ id: `run-past-${index}`, connection: { id, name }, kind, startedAt: at, endedAt: at, paths, ledger: fullLedger });
  });
  await writeFile(
    join(dataDir, 'history.jsonl'),
    runs.map((run) => `${JSON.stringify(run)}\n`),
    { mode: 0o600 },
  );
}

/** When the answers to the window's requests were there, in milliseconds since the page was asked for. */
async function answersOf(page: Page): Promise<string> {
  return page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map((entry) => `${entry.name.split('/').at(-1)} ${(entry as PerformanceResourceTiming).responseEnd.toFixed(0)}`)
      .join(', '),
  );
}

// The first one is what the others are compared with: this machine's time to load the page.
for (const count of [2, 10_000])
  test.describe(`a window over ${count} past runs`, () => {
    const made: RealAppOptions = { prepare: (dataDir) => layHistory(dataDir, count) };
    test.use({ made });

    test('is usable', async ({ page, app, open }) => {
      await notePaint(page, '.row, .runs [role=listitem], .ledger');
      await open();
      console.log(`${count} runs, first screen, the program's first answer: ${(await paintedAt(page)).toFixed(0)} ms (goal < 1000 ms)`);
      const link = page.getByRole('link', { name: new RegExp(app.connection) });
      const connection = await link.evaluate((element) => (element as HTMLAnchorElement).hash);
      for (const [what, hash] of [
        ['first screen', '#/'],
        ['history', '#/history'],
        ['connection', connection],
      ] as const) {
        const times: number[] = [];
        for (let round = 0; round < 9; round += 1) {
          await page.goto('about:blank');
          await page.goto(`${app.origin}/${hash}`);
          times.push(await paintedAt(page));
        }
        print(`${count} runs, ${what}`, times, 'ms', '< 1000 ms');
        console.log(`  the last time: ${await answersOf(page)}`);
      }
    });
  });

test.afterEach(() => console.log(`  the machine's load by then: ${loadavg()[0]?.toFixed(1)}`));

test.describe('a window during a sync of 50 000 files', () => {
  const many: RealAppOptions = {
    fill: async ({ localHome }) => {
      for (let skill = 0; skill < 500; skill += 1) {
        const files = Array.from({ length: 99 }, (_, index) => [`references/note-${index}.md`, `Note ${index} of skill ${skill}.\n`]);
        const tree: Tree = Object.fromEntries([['SKILL.md', `# skill ${skill}\n`], ...files]);
        await writeTree(join(localHome, `skills/group-${skill % 20}/skill-${skill}`), tree);
      }
    },
  };
  test.use({ made: many });

  test('answers keys', async ({ page, app, open }) => {
    await open();
    await openConnection(page, app);
    const keys = await watchKeys(page);
    const type = async (until: () => Promise<boolean>) => {
      for (let round = 0; !(await until()); round += 1) await page.keyboard.press(round % 8 < 4 ? 'Tab' : 'ArrowDown');
    };
    const isOver = (button: string) => () => page.getByRole('contentinfo').getByRole('button', { name: button }).isVisible();
    await page.getByRole('button', { name: 'Start session' }).click();
    await page.getByRole('button', { name: 'Start anyway' }).click();
    const startedAt = Date.now();
    await type(isOver('End session'));
    const push = [...(await keys())];
    print(`keys during a push of ${app.history()[0]?.ledger.written.files} files (${Date.now() - startedAt} ms)`, push, 'ms', '< 100 ms');

    for (let skill = 0; skill < 500; skill += 1)
      await writeTree(join(app.remoteHome, `skills/group-${skill % 20}/skill-${skill}`), {
        'SKILL.md': `# skill ${skill}, learned more\n`,
      });
    const endedAt = Date.now();
    await page.getByRole('button', { name: 'End session' }).click();
    await type(isOver('Start session'));
    const end = (await keys()).slice(push.length);
    print(
      `keys during a sync-back over 50 000 files, ${app.history()[0]?.ledger.written.files} changed (${Date.now() - endedAt} ms)`,
      end,
      'ms',
      '< 100 ms',
    );
  });
});

/** Seconds of processor time a process has used (proc(5): fields 14 and 15 are clock ticks, of which Linux has 100 a second). */
function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

test('the program idles with a window and a session open', async ({ page, app, open }) => {
  expect(app.cli(['session', 'start', app.connection, '--allow', 'first-session']).code).toBe(0);
  await open();
  await expect(page.getByRole('link', { name: new RegExp(app.connection) })).toContainText('Session open');
  // What a start leaves to do, such as preparing the session's end, is no idling.
  await page.waitForTimeout(5_000);
  for (const what of ['just after the start', 'later']) {
    const before = processorSeconds(app.pid);
    await page.waitForTimeout(30_000);
    const share = ((processorSeconds(app.pid) - before) / 30) * 100;
    console.log(`idle ${what}: ${share.toFixed(2)} % of one processor over 30 s (goal < 0.5 %)`);
  }
});
