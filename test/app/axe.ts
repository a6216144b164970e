import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string }[];
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe holds to be serious or critical, in short form; of one rule, or of all. */
export async function graveViolations(page: Page, rule?: string): Promise<readonly string[]> {
  // evaluated by the debugger, so the page's own policy stays as strict as it is
  await page.evaluate(axeSource);
  const options = rule === undefined ? {} : { runOnly: [rule] };
  const result = await page.evaluate(
    (given) => (window as unknown as { axe: { run(options: object): Promise<{ violations: Violation[] }> } }).axe.run(given),
    options,
  );
  return result.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
