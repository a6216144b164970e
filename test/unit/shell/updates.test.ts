import { describe, expect, it } from 'vitest';
import { isOpenable, releaseFeed, releasePage } from '../../../electron/shell/links';
import { isNewer, newerVersion } from '../../../electron/shell/updates';

describe('isNewer', () => {
  it.each([
    ['0.2.0', '0.1.0', true],
    ['0.1.10', '0.1.9', true],
    ['1.0.0', '0.99.99', true],
    ['0.1.0', '0.1.0', false],
    ['0.1.0', '0.2.0', false],
    ['0.2.0-beta', '0.1.0', false],
    ['999999999999.0.0', '0.1.0', false],
    ['', '0.1.0', false],
  ])('of %s than %s is %s', (version, than, newer) => {
    expect(isNewer(version, than)).toBe(newer);
  });
});

describe('newerVersion', () => {
  const answering =
    (body: string, status = 200): typeof fetch =>
    async () =>
      new Response(body, { status });

  it('asks one address and sends nothing about this computer', async () => {
    const asked: unknown[] = [];
    await newerVersion('0.1.0', async (url, init) => {
      asked.push(url, init?.method, init?.body, init?.headers, init?.credentials, init?.redirect);
      return new Response('{}');
    });
    expect(asked).toEqual([releaseFeed, undefined, undefined, undefined, 'omit', 'error']);
  });

  it('tells a newer version', async () => {
    expect(await newerVersion('0.1.0', answering('{"version":"0.2.0","url":"https://evil.example"}'))).toBe('0.2.0');
  });

  it.each([
    ['the same version', answering('{"version":"0.1.0"}')],
    ['an older one', answering('{"version":"0.0.9"}')],
    ['an error page', answering('{"version":"9.0.0"}', 404)],
    ['what is no JSON', answering('<html>')],
    ['nothing that is a version', answering('{"version":7}')],
    ['null', answering('null')],
    ['far too much', answering(`{"version":"9.0.0","x":"${'x'.repeat(20_000)}"}`)],
    ['no network', async () => Promise.reject(new TypeError('fetch failed'))],
  ] as const)('takes %s for no news', async (_what, get) => {
    expect(await newerVersion('0.1.0', get)).toBeNull();
  });
});

describe('isOpenable', () => {
  it.each([
    [releasePage, true],
    [`${releasePage}?x`, false],
    ['https://example.com/', false],
    ['file:///etc/passwd', false],
    ['javascript:alert(1)', false],
    ['', false],
  ])('of %j is %s', (url, openable) => {
    expect(isOpenable(url)).toBe(openable);
  });
});
