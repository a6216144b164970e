import type { Host } from '../ipc/host';

/** Calls back with the connection of every new question that wants an answer here: one nobody sees would only be waited out. */
export function onQuestion(host: Pick<Host, 'listen'>, show: (connection: string) => void): () => void {
  let known: ReadonlySet<string> = new Set();
  return host.listen((event) => {
    if (event.event !== 'prompts') return;
    // The agent asks in a window of its own.
    const open = event.data.prompts.filter(({ question }) => question.kind !== 'agent');
    const added = open.find(({ id }) => !known.has(id));
    known = new Set(open.map(({ id }) => id));
    if (added !== undefined) show(added.connection.id);
  });
}
