import { directRoute, loginMethods, type SshTarget } from '../../electron/ssh/target';

/** What a target is where nothing special is wanted: straight there, with the given identity alone. */
export const plainTarget = {
  identitiesOnly: true,
  agentSockets: [],
  hostKeyAlias: null,
  hostKeyAlgorithms: null,
  algorithms: {},
  loginMethods,
  asks: true,
  keepalive: null,
  route: directRoute,
} satisfies Partial<SshTarget>;
