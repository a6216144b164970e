import { words } from '../words';
import { Literal } from './amounts';

/** Names after what they are; nothing where there are none. */
export function NameList({ label, names }: { readonly label: string; readonly names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <p>
      {label}
      {words.colon}
      {names.map((name, index) => (
        <span key={name}>
          {index > 0 && ', '}
          <Literal text={name} />
        </span>
      ))}
    </p>
  );
}
