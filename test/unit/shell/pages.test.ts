import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isOwnPage, pageUrl, servePage } from '../../../electron/shell/pages';

let folder = '';
const root = () => join(folder, 'renderer');

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ebbgate-pages-'));
  mkdirSync(join(root(), 'assets'), { recursive: true });
  writeFileSync(join(root(), 'index.html'), '<p>page</p>');
  writeFileSync(join(root(), 'assets/a b.js'), 'run()');
  writeFileSync(join(root(), 'notes.txt'), 'no page needs this');
  writeFileSync(join(folder, 'secret.js'), 'outside');
  mkdirSync(join(folder, 'renderer-old'));
  writeFileSync(join(folder, 'renderer-old/index.html'), 'outside');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('servePage', () => {
  it('serves the page with its type and policy', async () => {
    const response = await servePage(root(), `${pageUrl}#/connection/c1`);
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      'text/html; charset=utf-8',
      '<p>page</p>',
    ]);
    expect(response.headers.get('content-security-policy')).not.toMatch(/unsafe|https?:|\*/);
  });

  it('serves a script whose name is escaped in the address', async () => {
    expect(await (await servePage(root(), 'ebbgate://app/assets/a%20b.js')).text()).toBe('run()');
  });

  it.each([
    'ebbgate://app/',
    'ebbgate://app/assets',
    'ebbgate://app/none.html',
    'ebbgate://app/notes.txt',
    'ebbgate://app/../secret.js',
    'ebbgate://app/..%2fsecret.js',
    'ebbgate://app/%2e%2e/renderer-old/index.html',
    'ebbgate://app/..%2frenderer-old%2findex.html',
    'ebbgate://app/index.html%00.js',
    'ebbgate://app/%zz.html',
    'ebbgate://elsewhere/index.html',
    'file:///etc/passwd',
    'not an address',
  ])('finds nothing at %s', async (url) => {
    expect((await servePage(root(), url)).status).toBe(404);
  });
});

describe('isOwnPage', () => {
  it.each([
    [pageUrl, true],
    [`${pageUrl}#/connection/c1`, true],
    ['ebbgate://app/assets/index.js', false],
    ['ebbgate://app.example.org/index.html', false],
    ['https://app/index.html', false],
    ['file:///index.html', false],
    ['', false],
  ])('of %j is %s', (url, own) => {
    expect(isOwnPage(url)).toBe(own);
  });
});
