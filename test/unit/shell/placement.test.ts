import { describe, expect, it } from 'vitest';
import { placeWindow } from '../../../electron/shell/placement';

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
