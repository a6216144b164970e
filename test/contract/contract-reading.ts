import { describe, expect, it } from 'vitest';
import type { IncomingFile } from '../../electron/engine/endpoint';
import { isAppError } from '../../shared/errors';
import { sha256 } from '../support/tree';
import { listSkills, patience, plainRules, readAll, scanSkills, seededBytes, treeOf, write } from './contract-side';
import type { ContractContext } from './endpoint-contract';

async function errorCode(action: () => Promise<unknown>): Promise<string> {
  try {
    await action();
  } catch (error) {
    return isAppError(error) ? error.code : String(error);
  }
  return 'no error';
}

const wanted = (path: string, size: number) => ({ path, size });

/** Reading contents, and cancelling anything. */
export function describeReading(side: ContractContext): void {
  describe('reading', () => {
    it('streams contents in the order asked', async () => {
      await side.home.write({ 'skills/a.md': 'one', 'skills/b\n.md': 'two two', 'skills/c.md': '' });
      const endpoint = await side.open();
      await listSkills(endpoint);
      const files = [wanted('skills/c.md', 0), wanted('skills/b\n.md', 7), wanted('skills/a.md', 3)];
      expect(await readAll(endpoint.read(files, patience))).toEqual([
        ['skills/c.md', ''],
        ['skills/b\n.md', 'two two'],
        ['skills/a.md', 'one'],
      ]);
    });

    it('leaves out what is gone', async () => {
      await side.home.write({ 'skills/a.md': 'one', 'skills/b.md': 'two two', 'skills/c.md': 'three' });
      const endpoint = await side.open();
      await listSkills(endpoint);
      await side.home.remove('skills/b.md');
      const files = [wanted('skills/a.md', 3), wanted('skills/b.md', 7), wanted('skills/c.md', 5)];
      expect(await readAll(endpoint.read(files, patience))).toEqual([
        ['skills/a.md', 'one'],
        ['skills/c.md', 'three'],
      ]);
    });

    it('streams a big file whole', async () => {
      const bytes = seededBytes(3_000_001, 'a big file that is read');
      await side.home.write({ 'skills/big.bin': bytes });
      const endpoint = await side.open();
      await listSkills(endpoint);
      const chunks: Uint8Array[] = [];
      for await (const file of endpoint.read([wanted('skills/big.bin', bytes.length)], patience)) {
        expect(file.size).toBe(bytes.length);
        for await (const chunk of file.body) chunks.push(Buffer.from(chunk));
      }
      expect(sha256(Buffer.concat(chunks))).toBe(sha256(bytes));
    });

    it('can be left after the first file', async () => {
      await side.home.write({ 'skills/a.md': 'one', 'skills/b.md': 'two two' });
      const endpoint = await side.open();
      await listSkills(endpoint);
      for await (const file of endpoint.read([wanted('skills/a.md', 3), wanted('skills/b.md', 7)], patience)) {
        expect(file.path).toBe('skills/a.md');
        break;
      }
      expect(await endpoint.hash(['skills/b.md'], patience)).toEqual(new Map([['skills/b.md', sha256('two two')]]));
    });

    if (side.sees.disk === true) {
      it('does not read through a link that took the place of a file or of its folder', async () => {
        await side.home.write({ 'skills/a.md': 'one', 'skills/b/c.md': 'two two', 'skills/z.md': 'last', 'outside/c.md': 'secret!' });
        const endpoint = await side.open();
        await listSkills(endpoint);
        await side.home.remove('skills/a.md');
        await side.home.remove('skills/b');
        await side.home.write({ 'skills/a.md': { link: '../outside/c.md' }, 'skills/b': { link: '../outside' } });
        const files = [wanted('skills/a.md', 3), wanted('skills/b/c.md', 7), wanted('skills/z.md', 4)];
        const read = Object.fromEntries(await readAll(endpoint.read(files, patience)));
        // What the remote gives is checked here; what leaves this computer is not checked by anyone else.
        if (endpoint.side === 'local') expect(read).toEqual({ 'skills/z.md': 'last' });
        else expect([read['skills/a.md'], read['skills/z.md']]).toEqual([undefined, 'last']);
      });
    }
  });

  describe('cancelling', () => {
    it('ends every method with run.cancelled', async () => {
      await side.home.write({ 'skills/a.md': 'one' });
      const endpoint = await side.open();
      await listSkills(endpoint);
      const signal = AbortSignal.abort();
      const request = { roots: ['skills'], rules: plainRules, memory: null };
      const codes = {
        list: await errorCode(() => endpoint.list(request, signal)),
        hash: await errorCode(() => endpoint.hash(['skills/a.md'], signal)),
        totals: await errorCode(() => endpoint.totals(request, signal)),
        read: await errorCode(() => readAll(endpoint.read([wanted('skills/a.md', 3)], signal))),
        apply: await errorCode(() => endpoint.apply({ changes: [], contents: (async function* () {})() }, signal)),
        identify: await errorCode(() => endpoint.identify('never-written', signal)),
      };
      const cancelled = 'run.cancelled';
      expect(codes).toEqual({
        list: cancelled,
        hash: cancelled,
        totals: cancelled,
        read: cancelled,
        apply: cancelled,
        identify: cancelled,
      });
      expect(await treeOf(side.home)).toEqual({ 'skills/a.md': 'one' });
    });

    it('ends an apply that waits for content, with every file old or new', async () => {
      await side.home.write({ 'skills/a.md': 'one' });
      const endpoint = await side.open();
      const expected = (await scanSkills(endpoint)).entries.get('skills/a.md') ?? null;
      const controller = new AbortController();
      const contents = (async function* (): AsyncGenerator<IncomingFile> {
        yield {
          path: 'skills/a.md',
          size: 11,
          body: (async function* () {
            yield Buffer.from('one changed');
          })(),
        };
        controller.abort();
        await new Promise(() => undefined);
      })();
      const changes = [write('skills/a.md', 'one changed', { expected }), write('skills/b.md', 'two two')];
      expect(await errorCode(() => endpoint.apply({ changes, contents }, controller.signal))).toBe('run.cancelled');
      await endpoint.close();
      const { 'skills/a.md': content, ...rest } = await treeOf(side.home);
      expect(['one', 'one changed']).toContain(content);
      expect(rest).toEqual({});
    });
  });
}
