import { Dices } from "lucide-react";
import { randomKeyString } from "../../../../src/catalogue/catalogue.ts";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field/field.tsx";
import type { KeyOrderForm } from "./key-order-form.ts";

/** Random needs to know the game, because a key begins with the game's letters (rules.md: Key text). */
export function CustomKeyField({ form }: { form: KeyOrderForm }) {
  function fillRandom() {
    const { game } = form.values;
    if (!game) return form.refuse({ game: "Please select a game first" });
    form.fill(
      "keyString",
      randomKeyString(game, (bytes) => crypto.getRandomValues(bytes)),
    );
  }

  return (
    <TextField
      {...form.field("keyString")}
      className="@md:col-span-2"
      label="Custom Key (optional)"
      placeholder="Leave empty for a random key"
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      hint="Used for the first key only; the others of the batch are generated."
      aside={
        <Button size="small" variant="ghost" icon={<Dices size={16} />} onClick={fillRandom}>
          Random
        </Button>
      }
    />
  );
}
