import { type NativeImage, nativeImage } from 'electron';
import type { ConnectionState } from '../../shared/contract';
import { drawGlyph } from './glyphs';

/** The tray icon of a state, at normal and double density. */
export function trayIcon(state: ConnectionState, platform: NodeJS.Platform): NativeImage {
  const image = nativeImage.createEmpty();
  for (const scaleFactor of [1, 2]) {
    const { size, pixels } = drawGlyph(state, 16 * scaleFactor, platform === 'darwin' ? 'template' : 'tile');
    const png = nativeImage.createFromBitmap(Buffer.from(pixels), { width: size, height: size, scaleFactor }).toPNG({ scaleFactor });
    image.addRepresentation({ scaleFactor, width: size, height: size, buffer: png });
  }
  if (platform === 'darwin') image.setTemplateImage(true);
  return image;
}
