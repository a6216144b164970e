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

/** The smallest window, which shows everything. */
export const smallest = { width: 360, height: 480 } as const;

export interface RestoreInput {
  /** Where the window was when it was closed. */
  readonly saved: Rectangle;
  /** What no panel covers of each screen there is, the main one first. */
  readonly workAreas: readonly Rectangle[];
}

/** Where a window opens that was moved or resized before: as it was, or inside the screen it was on most; inside the main one when that is gone. */
export function restoreWindow({ saved, workAreas }: RestoreInput): Rectangle | null {
  const [main] = workAreas;
  if (main === undefined) return null;
  const area = workAreas.reduce((best, one) => (overlap(saved, one) > overlap(saved, best) ? one : best), main);
  const width = Math.max(smallest.width, Math.min(saved.width, area.width));
  const height = Math.max(smallest.height, Math.min(saved.height, area.height));
  const inside = (at: number, length: number, start: number, room: number) => Math.max(start, Math.min(at, start + room - length));
  return { x: inside(saved.x, width, area.x, area.width), y: inside(saved.y, height, area.y, area.height), width, height };
}

function overlap(one: Rectangle, other: Rectangle): number {
  const shared = (at: number, length: number, start: number, room: number) =>
    Math.max(0, Math.min(at + length, start + room) - Math.max(at, start));
  return shared(one.x, one.width, other.x, other.width) * shared(one.y, one.height, other.y, other.height);
}

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
