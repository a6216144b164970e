import { createHash } from 'node:crypto';

function sumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** One line of JSON with a checksum over its body, and the format's version where one is given. */
export function sealLine(body: unknown, version?: number): string {
  const text = JSON.stringify(body);
  const head = version === undefined ? '' : `"version":${version},`;
  return `{${head}"sum":"${sumOf(text)}","body":${text}}\n`;
}

/** The body of a sealed line. Null when it is cut or not ours; otherwise it has the shape that was sealed. */
export function unsealLine(line: string): unknown {
  try {
    const { sum, body } = JSON.parse(line) as { sum?: unknown; body?: unknown };
    return body !== undefined && sum === sumOf(JSON.stringify(body)) ? body : null;
  } catch {
    return null;
  }
}

/** The version a first line names, whatever else is in it; null when it names none. */
export function versionOf(line: string): number | null {
  try {
    const { version } = JSON.parse(line) as { version?: unknown };
    return typeof version === 'number' ? version : null;
  } catch {
    return null;
  }
}
