import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { request as rawRequest } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as bare, expect as plain } from '@playwright/test';
import { startWebHost } from '../../electron/web/server';
import { createScriptedHost } from '../support/scripted-host';
import { expect, test } from './fixtures';

/** A request as any program could send it: the path goes out exactly as given. */
function send(
  origin: string,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  body = '',
): Promise<{ status: number; text: string; cookie: string; headers: NodeJS.Dict<string | string[]> }> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const req = rawRequest({ hostname, port, path, method, headers }, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      res.on('end', () => {
        const cookie = (res.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
        resolve({ status: res.statusCode ?? 0, text, cookie, headers: res.headers });
      });
    });
    req.on('error', reject);
    req.end(body);
  });
}

async function signIn(web: { readonly url: string; readonly origin: string }): Promise<string> {
  const { search } = new URL(web.url);
  return (await send(web.origin, `/${search}`)).cookie;
}

test.describe('the door of the web host', () => {
  test('lets nobody in without the key, and says so in words', async ({ web, host }) => {
    const page = await send(web.origin, '/');
    expect(page.status).toBe(401);
    expect(page.text).toContain('Open the address that Ebbgate printed');
    const api = await send(web.origin, '/api/status', { origin: web.origin, 'content-type': 'application/json' }, 'POST', '{}');
    expect([api.status, (JSON.parse(api.text) as { error: { code: string } }).error.code]).toEqual([401, 'web.signed-out']);
    expect((await send(web.origin, '/api/events')).status).toBe(401);
    expect((await send(web.origin, '/?token=guessed')).status).toBe(401);
    expect(host.asked).toEqual([]);
  });

  test('exchanges the token once for another secret in a strict cookie', async ({ web }) => {
    const { search, searchParams } = new URL(web.url);
    const first = await send(web.origin, `/${search}`);
    expect([first.status, first.headers.location]).toEqual([302, '/']);
    expect(first.headers['set-cookie']?.[0]).toMatch(/^ebbgate-\d+=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/);
    expect(first.cookie).not.toContain(searchParams.get('token') ?? '');
    expect((await send(web.origin, '/', { cookie: first.cookie })).status).toBe(200);
    const second = await send(web.origin, `/${search}`);
    expect([second.status, second.cookie]).toEqual([401, '']);
    const reload = await send(web.origin, `/${search}`, { cookie: first.cookie });
    expect([reload.status, reload.headers.location]).toEqual([302, '/']);
  });

  test('does not answer to another name', async ({ web }) => {
    const cookie = await signIn(web);
    for (const host of ['evil.example', 'localhost', '127.0.0.1']) {
      expect((await send(web.origin, '/', { cookie, host })).status).toBe(421);
    }
  });

  test('takes requests from its own page only', async ({ web, host }) => {
    const cookie = await signIn(web);
    const json = { cookie, 'content-type': 'application/json' };
    for (const origin of ['http://evil.example', 'null', 'http://127.0.0.1:1']) {
      expect((await send(web.origin, '/api/status', { ...json, origin }, 'POST', '{}')).status).toBe(403);
    }
    expect((await send(web.origin, '/api/status', json, 'POST', '{}')).status).toBe(403);
    expect((await send(web.origin, '/api/events', { cookie, 'sec-fetch-site': 'same-site' })).status).toBe(403);
    expect(host.asked).toEqual([]);
    expect((await send(web.origin, '/api/status', { ...json, origin: web.origin }, 'POST', '{}')).status).toBe(200);
  });

  test('turns away what is no request, with a sentence', async ({ web, host }) => {
    const headers = { cookie: await signIn(web), origin: web.origin, 'content-type': 'application/json' };
    const status = async (...[path, more, method, body]: [string, Record<string, string>, string, string]) => {
      const answer = await send(web.origin, path, { ...headers, ...more }, method, body);
      expect((JSON.parse(answer.text) as { error: { message: string } }).error.message).toContain('Nothing was done.');
      return answer.status;
    };
    expect(await status('/api/unheard-of', {}, 'POST', '{}')).toBe(404);
    expect(await status('/api/__proto__', {}, 'POST', '{}')).toBe(404);
    expect(await status('/api/status', { 'content-type': 'text/plain' }, 'POST', '{}')).toBe(415);
    expect(await status('/api/status', {}, 'POST', '{"half":')).toBe(400);
    expect(await status('/api/status', {}, 'POST', `"${'x'.repeat(1_000_001)}"`)).toBe(413);
    expect(await status('/api/status', { 'transfer-encoding': 'chunked' }, 'POST', `"${'x'.repeat(1_000_001)}"`)).toBe(413);
    expect(await status('/api/status', {}, 'GET', '')).toBe(405);
    expect(host.asked).toEqual([]);
  });

  test('never shows a stack when a part behind it throws', async ({ web }) => {
    const headers = { cookie: await signIn(web), origin: web.origin, 'content-type': 'application/json' };
    const answer = await send(web.origin, '/api/inspect', headers, 'POST', '{}');
    expect(answer.status).toBe(500);
    expect(answer.text).toContain('internal.unexpected');
    expect(answer.text).not.toMatch(/\bat |\.ts/);
  });
});

test.describe('the files of the web host', () => {
  test('come with strict headers', async ({ web }) => {
    const cookie = await signIn(web);
    const { headers } = await send(web.origin, '/', { cookie });
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['cache-control']).toBe('no-store');
    expect((await send(web.origin, '/', { cookie }, 'HEAD')).text).toBe('');
    expect((await send(web.origin, '/', { cookie, origin: web.origin }, 'DELETE')).status).toBe(405);
  });

  test('come from the folder of the window only', async ({ web }) => {
    const cookie = await signIn(web);
    const paths = [
      '/../package.json',
      '/..%2fpackage.json',
      '/%2e%2e/package.json',
      '/assets/..%5c..%5cpackage.json',
      '/%00',
      '/%',
      '/%ff',
      '//etc/passwd/..',
    ];
    for (const path of paths) {
      expect({ path, status: (await send(web.origin, path, { cookie })).status }).toEqual({ path, status: 400 });
    }
    for (const path of ['/package.json', '/assets', '/assets/', '//etc/passwd', '/%252e%252e/package.json']) {
      expect({ path, status: (await send(web.origin, path, { cookie })).status }).toEqual({ path, status: 404 });
    }
  });

  test('are refused for an address that is not a path', async ({ web }) => {
    const { port } = new URL(web.origin);
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1', () =>
        socket.end(`GET http://evil.example/ HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`),
      );
      let text = '';
      socket.on('data', (part) => {
        text += part.toString();
      });
      socket.on('end', () => resolve(text));
      socket.on('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });
});

bare.describe('starting and closing', () => {
  bare('does not follow a link out of the folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ebbgate-web-'));
    try {
      await writeFile(join(folder, 'index.html'), 'here');
      await symlink('/etc/hostname', join(folder, 'out.txt'));
      const web = await startWebHost({ host: createScriptedHost(), rendererDir: folder });
      const cookie = await signIn(web);
      plain((await send(web.origin, '/', { cookie })).text).toBe('here');
      plain((await send(web.origin, '/out.txt', { cookie })).status).toBe(404);
      await web.close();
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  bare('says what to do when the window was not built', async () => {
    const started = startWebHost({ host: createScriptedHost(), rendererDir: join(tmpdir(), 'ebbgate-not-there') });
    await plain(started).rejects.toMatchObject({ code: 'web.not-built', message: /Run "npm run build" first/ });
  });

  bare('says so when the port is taken', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ebbgate-web-'));
    try {
      await writeFile(join(folder, 'index.html'), 'here');
      const first = await startWebHost({ host: createScriptedHost(), rendererDir: folder });
      const port = Number(new URL(first.origin).port);
      await plain(startWebHost({ host: createScriptedHost(), rendererDir: folder, port })).rejects.toMatchObject({ code: 'web.port' });
      await first.close();
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  bare('ends open event streams and stops listening when it closes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ebbgate-web-'));
    try {
      await writeFile(join(folder, 'index.html'), 'here');
      const host = createScriptedHost();
      const web = await startWebHost({ host, rendererDir: folder });
      const cookie = await signIn(web);
      const stream = send(web.origin, '/api/events', { cookie });
      const opened = send(web.origin, '/', { cookie });
      await opened;
      host.emit({ event: 'changed', data: {} });
      await web.close();
      await web.close();
      plain((await stream).text).toBe(': open\n\ndata: {"event":"changed","data":{}}\n\n');
      plain(host.listeners).toBe(0);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
