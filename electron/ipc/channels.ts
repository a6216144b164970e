/** Electron's channel for every request: name, parameters. */
export const callChannel = 'ebbgate:call';
/** Electron's channel for every event. */
export const eventChannel = 'ebbgate:event';

/** Tells the preload script, among a window's arguments, that the system shows no notifications. */
export const noNotifications = '--ebbgate-no-notifications';
