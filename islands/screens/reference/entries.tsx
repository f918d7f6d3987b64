export interface Entry {
  term: string;
  note?: string;
  description: string;
}

/** Terms, each with what it means. */
export function Entries({ title, entries }: { title: string; entries: Entry[] }) {
  return (
    <div>
      <h3 className="mb-1 font-medium">{title}</h3>
      <dl className="divide-y divide-line">
        {entries.map(({ term, note, description }) => (
          <div key={term} className="py-2.5">
            <dt className="flex flex-wrap items-baseline gap-x-2">
              <code className="key-text break-all">{term}</code>
              {note && <span className="text-sm text-faint">{note}</span>}
            </dt>
            <dd className="mt-0.5 text-muted">{description}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
