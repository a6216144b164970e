import { formatBytes } from '../../../shared/bytes';
import { type ErrorSentences, errorSentences } from '../../../shared/errors';
import { formatNumber } from '../../format';

const bytes = (count: number) => formatBytes(count, 'en');

/** What a window says in English: as everywhere, but with amounts for a reader. */
export const errorsEn: ErrorSentences = {
  ...errorSentences,
  'local.no-space': (d) =>
    `${bytes(d.needed)} are needed here and ${bytes(d.free)} are free (${bytes(1e9)} stay in reserve). Nothing was downloaded. The largest: ${d.largest.join(', ')}. Free space and run the same again.`,
  'sync.over-cap': (d) =>
    `${formatNumber(d.files, 'en')} files, ${bytes(d.bytes)} together, are more than one run may carry. Nothing was transferred. The largest: ${d.largest.join(', ')}. Exclude what does not belong there.`,
};
