import { useId } from "react";
import { searchCharactersMax } from "../../../src/http/limits.ts";
import { useTypedValue } from "../../ui/table/typed-value.ts";

interface NameFilterProps {
  value: string;
  /** Suggested while one types. */
  names: readonly string[];
  onChange: (name: string) => void;
}

/** A whole username, which half of one is not: it is taken once it was chosen, on Enter, and when the field is left. */
export function NameFilter({ value, names, onChange }: NameFilterProps) {
  const id = useId();
  const [typed, setTyped] = useTypedValue(value);
  const settle = (name: string) => name.trim() !== value && onChange(name.trim());
  return (
    <label className="md:w-56">
      <span className="mb-1.5 block font-medium md:sr-only">Who did it</span>
      <input
        list={id}
        placeholder="Who, by username"
        autoComplete="off"
        spellCheck={false}
        maxLength={searchCharactersMax}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          if (target.value === "" || names.includes(target.value)) settle(target.value);
        }}
        onBlur={() => settle(typed)}
        onKeyDown={({ key }) => key === "Enter" && settle(typed)}
        className="control px-3"
      />
      <datalist id={id}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </label>
  );
}
