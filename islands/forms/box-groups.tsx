import { CheckField } from "../ui/field/field.tsx";

export interface BoxGroupsProps<Name extends string> {
  /** What `useForm` returns, of a form with a field for each box. */
  form: {
    values: Partial<Record<Name, unknown>>;
    field: (name: Name) => { name: string; message?: string; defaultChecked?: boolean };
    follow: (name: Name) => void;
  };
  groups: Record<string, Name[]>;
  labelOf: (name: Name) => string;
  /** Its message is that of all boxes. */
  first: Name;
}

/** Checkboxes in groups, each group with one for all of it. */
export function BoxGroups<Name extends string>({ form, groups, labelOf, first }: BoxGroupsProps<Name>) {
  return Object.entries(groups).map(([title, names]) => (
    <fieldset key={title} onInput={() => form.follow(first)}>
      <legend className="w-full border-b border-line pb-1.5 font-medium">{title}</legend>
      <CheckField
        label={`All of ${title}`}
        checked={names.every((name) => form.values[name])}
        onChange={({ currentTarget: { form, checked } }) => checkBoxes(form, names, () => checked)}
      />
      {names.map((name) => (
        <CheckField key={name} {...form.field(name)} label={labelOf(name)} hint={name} className="py-1" />
      ))}
    </fieldset>
  ));
}

/** The form reads its fields when one of them changes. */
export function checkBoxes(
  form: HTMLFormElement | null,
  names: readonly string[],
  isChecked: (name: string) => boolean,
) {
  for (const name of names) {
    const box = form?.elements.namedItem(name) as HTMLInputElement;
    box.checked = isChecked(name);
    box.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }
}
