/** Electron's channel for every request: name, parameters. */
export const callChannel = 'ebbgate:call';
/** Electron's channel for every event. */
export const eventChannel = 'ebbgate:event';
