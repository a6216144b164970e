/** A place on the screen, in its pixels. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface PlacementInput {
  readonly platform: NodeJS.Platform;
  /** Where the tray icon is; a width of 0 when the system does not tell. */
  readonly tray: Rectangle;
  /** The part of the icon's screen that no panel covers. */
  readonly workArea: Rectangle;
  readonly window: { readonly width: number; readonly height: number };
}

/** Distance to the edges of the work area. */
const margin = 8;

/**
 * Where the window opens: at the edge of the work area nearest to the tray icon; null for the middle of the screen, which is
 * where Linux puts it (a Wayland window cannot place itself) and macOS wants windows that are no popovers.
 */
export function placeWindow({ platform, tray, workArea, window }: PlacementInput): { readonly x: number; readonly y: number } | null {
  if (platform !== 'win32' || tray.width === 0) return null;
  const along = (at: number, length: number, start: number, room: number) =>
    Math.round(Math.min(Math.max(at - length / 2, start + margin), Math.max(start + margin, start + room - length - margin)));
  return {
    x: along(tray.x + tray.width / 2, window.width, workArea.x, workArea.width),
    y: along(tray.y + tray.height / 2, window.height, workArea.y, workArea.height),
  };
}
