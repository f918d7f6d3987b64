import { Dices } from "lucide-react";
import type { UseFormReturn } from "react-hook-form";
import type { Game } from "../../../src/keys/games.ts";
import { randomKeyString } from "../../../src/keys/key-string.ts";
import type { KeyPurchase } from "../../../src/keys/schema.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import type { PurchaseValues } from "./purchase-form.tsx";

interface CustomKeyFieldProps {
  form: UseFormReturn<PurchaseValues, unknown, KeyPurchase>;
  message: string | undefined;
}

/** Random needs to know the game, because a key begins with the game's letters (section 5). */
export function CustomKeyField({ form, message }: CustomKeyFieldProps) {
  function fillRandom() {
    const game = form.getValues("game");
    if (game === "") {
      form.setError("game", { type: "random", message: "Please select a game first" }, { shouldFocus: true });
      return;
    }
    const keyString = randomKeyString(game as Game, (bytes) => crypto.getRandomValues(bytes));
    form.setValue("keyString", keyString);
    form.clearErrors("keyString");
  }

  return (
    <TextField
      {...form.register("keyString")}
      className="md:col-span-2"
      label="Custom Key (optional)"
      placeholder="Leave empty to generate one"
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      hint="Used for the first key only; further keys of the batch are generated."
      message={message}
      aside={
        <Button size="small" variant="ghost" icon={<Dices aria-hidden size={16} />} onClick={fillRandom}>
          Random
        </Button>
      }
    />
  );
}
