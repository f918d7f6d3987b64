import { Dices } from "lucide-react";
import type { Game } from "../../src/keys/games.ts";
import { randomKeyString } from "../../src/keys/key-string.ts";
import type { FieldProblem } from "../../src/refusal.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field/field.tsx";

interface CustomKeyFieldProps {
  game: string;
  initialText: string;
  message: string | undefined;
  fill: (field: "keyString", text: string) => void;
  refuse: (problems: readonly FieldProblem[]) => void;
}

/** Random needs to know the game, because a key begins with the game's letters (section 5). */
export function CustomKeyField({ game, initialText, message, fill, refuse }: CustomKeyFieldProps) {
  function fillRandom() {
    if (game === "") return refuse([{ path: "game", message: "Please select a game first" }]);
    fill(
      "keyString",
      randomKeyString(game as Game, (bytes) => crypto.getRandomValues(bytes)),
    );
  }

  return (
    <TextField
      name="keyString"
      defaultValue={initialText}
      className="@md:col-span-2"
      label="Custom Key (optional)"
      placeholder="Leave empty for a random key"
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      hint="Used for the first key only; the others of the batch are generated."
      message={message}
      aside={
        <Button size="small" variant="ghost" icon={<Dices aria-hidden size={16} />} onClick={fillRandom}>
          Random
        </Button>
      }
    />
  );
}
