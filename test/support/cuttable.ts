import type { Endpoint, IncomingFile } from '../../electron/engine/endpoint';
import { AppError } from '../../shared/errors';

/** After how many more pieces of content the link breaks. */
export interface Cut {
  readonly after: number;
}

/** Bytes of one piece of content on its way. */
const pieceLength = 16;

/** A remote whose link breaks when so many pieces of content have gone through it, in either direction. */
export function cuttable(endpoint: Endpoint, weather: { readonly cut: Cut | null }): Endpoint {
  let gone = 0;
  const pass = (): void => {
    if (weather.cut !== null && gone >= weather.cut.after) {
      throw new AppError('ssh.lost', { host: 'nowhere.invalid', port: 22, reason: 'cut by a test' });
    }
    gone += 1;
  };
  async function* pieces(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      for (let at = 0; at < chunk.length; at += pieceLength) {
        pass();
        yield chunk.subarray(at, at + pieceLength);
      }
    }
  }
  async function* through(files: AsyncIterable<IncomingFile>): AsyncGenerator<IncomingFile> {
    for await (const file of files) yield { ...file, body: pieces(file.body) };
  }
  return {
    ...endpoint,
    side: endpoint.side,
    read: (files, signal) => through(endpoint.read(files, signal)),
    apply: async (request, signal) => {
      let broken: unknown = null;
      async function* contents(): AsyncGenerator<IncomingFile> {
        try {
          yield* through(request.contents);
        } catch (error) {
          broken = error;
          throw error;
        }
      }
      const applied = await endpoint.apply({ ...request, contents: contents() }, signal);
      if (broken !== null) throw broken;
      return applied;
    },
  };
}
