import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ByteReader } from '../../../electron/endpoints/byte-reader';
import { type BlocksAnswer, blockBytesFor, blocksRequest, describeLarge, readBlocks } from '../../../electron/endpoints/remote-blocks';
import { renderScript } from '../../../electron/endpoints/remote-script';
import { inOneChunk } from '../../../electron/endpoints/tar-stream';
import type { Basis } from '../../../electron/engine/endpoint';
import { incoming, patience, seededBytes } from '../../contract/contract-side';
import { sha256 } from '../../support/tree';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ebbgate-blocks-'));
  await mkdir(join(folder, 'bin'));
  await mkdir(join(folder, 'home/skills'), { recursive: true });
});
afterEach(() => rm(folder, { recursive: true }));

const path = "skills/it's\nbig\n.bin";
const base = Buffer.from(seededBytes(1_500_000, 'blocks'));
const basisOf = (content: Buffer): Basis => ({ read: () => incoming({ [path]: content }) });
const settings = { mode: 'pack', profile: null, clientId: 'me', roots: ['skills'], rules: null, digest: null } as const;

describe('blocks', () => {
  it('are a power of two near the root of the size', () => {
    expect([1 << 20, 20 << 20, 1 << 30].map(blockBytesFor)).toEqual([32 << 10, 128 << 10, 1 << 20]);
  });

  it.each(['dash', 'bash', 'busybox'])('that differ are told by a script in %s, and make the content', async (shell) => {
    // The script starts shells of its own, too.
    await symlink(`/bin/${shell}`, join(folder, 'bin/sh'));
    const edited = Buffer.concat([Buffer.from('edited'), base.subarray(6, 900_000), base.subarray(899_999)]);
    await writeFile(join(folder, 'home', path), edited);
    const wanted = [{ path, size: edited.length, hash: sha256(edited) }];
    const large = await describeLarge(wanted, basisOf(base), patience);
    const rest = { counts: false, inlineBytes: 0, proposedIdentity: '', remoteHome: join(folder, 'home') };
    const { input, mark } = renderScript({ ...settings, ...rest }, true);
    const output = execFileSync(join(folder, 'bin/sh'), ['-c', input.toString()], {
      input: blocksRequest(large),
      env: { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, HOME: folder },
      maxBuffer: 8 << 20,
    });
    const reader = new ByteReader(inOneChunk(output));
    await reader.skipTo(mark);
    for (let fact = await reader.record('//\n'); fact !== null && fact.length > 0; ) fact = await reader.record('//\n');
    const answer: BlocksAnswer = { reader, isCompressed: true, settled: new Set(), isInStep: true };
    const contents: Buffer[] = [];
    for await (const { body } of readBlocks(answer, large, basisOf(base), patience)) contents.push(await buffer(body));
    expect(contents.map(sha256)).toEqual([sha256(edited)]);
    expect([...answer.settled]).toEqual([path]);
    // The first block, and all from the one where a byte was added.
    expect(output.length).toBeLessThan(700_000);
  });
});
