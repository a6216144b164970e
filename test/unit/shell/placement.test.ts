import { describe, expect, it } from 'vitest';
import { placeWindow, restoreWindow } from '../../../electron/shell/placement';

const window = { width: 400, height: 600 };
const screen = { x: 0, y: 0, width: 1920, height: 1040 };
const second = { x: 1920, y: 200, width: 1280, height: 680 };
const icon = (x: number, y: number) => ({ x, y, width: 24, height: 40 });

describe('placeWindow', () => {
  it.each([
    ['above a taskbar at the bottom', icon(1600, 1040), screen, { x: 1412, y: 432 }],
    ['inside the screen when the icon is at its edge', icon(1900, 1040), screen, { x: 1512, y: 432 }],
    ['below a taskbar at the top', icon(1600, -40), { ...screen, y: 0 }, { x: 1412, y: 8 }],
    ['beside a taskbar at the left', icon(-62, 900), screen, { x: 8, y: 432 }],
    ['on the screen of the icon', icon(3100, 880), second, { x: 2792, y: 272 }],
    ['at the edge of a screen that is too small for it', icon(100, 300), { x: 0, y: 0, width: 300, height: 300 }, { x: 8, y: 8 }],
  ])('opens %s', (_where, tray, workArea, place) => {
    expect(placeWindow({ platform: 'win32', tray, workArea, window })).toEqual(place);
  });

  it.each([
    ['on macOS, where it is no popover', 'darwin', icon(100, 0)],
    ['on Linux, where a window cannot place itself', 'linux', icon(100, 0)],
    ['where the system does not tell where the icon is', 'win32', { x: 0, y: 0, width: 0, height: 0 }],
  ] as const)('leaves the middle of the screen to the system %s', (_why, platform, tray) => {
    expect(placeWindow({ platform, tray, workArea: screen, window })).toBeNull();
  });
});

describe('restoreWindow', () => {
  it.each([
    ['as it was', { x: 700, y: 100, width: 500, height: 700 }, [screen, second], { x: 700, y: 100, width: 500, height: 700 }],
    [
      'as it was on the second screen',
      { x: 2000, y: 210, width: 400, height: 600 },
      [screen, second],
      { x: 2000, y: 210, width: 400, height: 600 },
    ],
    [
      'inside the main screen when its own is gone',
      { x: 2000, y: 210, width: 400, height: 600 },
      [screen],
      { x: 1520, y: 210, width: 400, height: 600 },
    ],
    [
      'inside the screen that shows most of it',
      { x: 1800, y: 300, width: 400, height: 600 },
      [screen, second],
      { x: 1920, y: 280, width: 400, height: 600 },
    ],
    [
      'below a panel that came in its way',
      { x: 10, y: 0, width: 400, height: 600 },
      [{ ...screen, y: 30 }],
      { x: 10, y: 30, width: 400, height: 600 },
    ],
    ['no larger than the screen', { x: -50, y: -50, width: 4000, height: 3000 }, [second], { x: 1920, y: 200, width: 1280, height: 680 }],
    ['no smaller than what shows everything', { x: 5, y: 5, width: 10, height: 10 }, [screen], { x: 5, y: 5, width: 360, height: 480 }],
    [
      'with its title in sight on a screen that is too small',
      { x: 90, y: 90, width: 400, height: 600 },
      [{ x: 0, y: 0, width: 300, height: 300 }],
      { x: 0, y: 0, width: 360, height: 480 },
    ],
  ])('opens it %s', (_where, saved, workAreas, place) => {
    expect(restoreWindow({ saved, workAreas })).toEqual(place);
  });

  it('leaves the place to the system where no screen is told of', () => {
    expect(restoreWindow({ saved: { ...window, x: 5, y: 5 }, workAreas: [] })).toBeNull();
  });
});
