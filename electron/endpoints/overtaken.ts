import { pathPhrases } from '../../shared/phrases/paths';
import type { Applied } from '../engine/endpoint';
import type { EnginePath } from '../engine/entry';

/** The result of a remote side for content that was not the planned one. */
export function overtaken(path: EnginePath): Applied {
  return { path, ok: false, reason: pathPhrases['next-push'], overtaken: true };
}
