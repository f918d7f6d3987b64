import { formOf, GameForm, gameIn } from "../../../src/catalogue/game-form.ts";
import type { Game } from "../../../src/catalogue/schema.ts";
import { addGame, changeGame, refreshCatalogue } from "../../api/calls/catalogue.ts";
import { useWork } from "../../api/query.ts";
import { FormDialog } from "../../forms/form-dialog.tsx";
import type { Form } from "../../forms/use-form.ts";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";
import { asTyped, NumberField, SwitchField, TextAreaField, TextField } from "../../ui/field/field.tsx";
import { maintenanceTexts } from "../keys/life/maintenance.tsx";

interface GameDialogProps extends Openable {
  game: Game | null;
  onAdded: (game: Game) => void;
}

/** Adds a game, or changes one. Maintenance and versions are for games that are sold already. */
export function GameDialog({ game, onAdded, ...dialog }: GameDialogProps) {
  const work = useWork({
    mutationFn: (form: GameForm) => (game ? changeGame(game.id, gameIn(form)) : addGame(gameIn(form))),
    done: ({ name }) => (game ? `${name} saved` : `${name} added. It is sold as soon as it has a price.`),
    failed: game ? "Failed to save game" : "Failed to add game",
    onSuccess: async (saved) => {
      await refreshCatalogue();
      if (!game) onAdded(saved);
    },
  });
  return (
    <FormDialog
      {...dialog}
      title={game ? "Edit Game" : "Add Game"}
      work={work}
      submit={game ? "Save Game" : "Add Game"}
      busyText={game ? "Saving..." : "Adding..."}
      form={{ schema: GameForm, initial: game ? formOf(game) : {}, fieldOf: { NAME_TAKEN: "name" } }}
    >
      {(form) => <GameFields form={form} game={game} />}
    </FormDialog>
  );
}

function GameFields({ form, game }: { form: Form<typeof GameForm>; game: Game | null }) {
  return (
    <>
      <TextField
        {...form.field("name")}
        label="Name"
        hint={game ? "The old name stays as an alias." : undefined}
        data-autofocus
      />
      <TextField
        {...form.field("prefix")}
        label="Prefix (optional)"
        autoCapitalize="characters"
        spellCheck={false}
        onInput={({ currentTarget }) => {
          currentTarget.value = currentTarget.value.toUpperCase();
        }}
        hint={prefixHint(form.values.prefix)}
      />
      <TextAreaField
        {...form.field("aliases")}
        label="Aliases (optional)"
        rows={2}
        hint="Other names that apps may send, one per line."
        {...asTyped}
      />
      {game && (
        <>
          <TextField {...form.field("maintenance")} {...maintenanceTexts} />
          <TextField
            {...form.field("minimumVersion")}
            label="Minimum Version (optional)"
            placeholder="1.12.3"
            inputMode="decimal"
            hint="Apps that send a lower version must update."
          />
          <TextField
            {...form.field("updateMessage")}
            label="Update Message (optional)"
            placeholder="Please install version 1.12.3."
            hint="What those apps show."
          />
          <SwitchField
            {...form.field("isAllowed")}
            label="Players May Free Devices"
            hint="In the game, or on the page /k, for keys of at least 12 characters."
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <NumberField {...form.field("cooldownHours")} label="Hours Between Releases" hint="Of one key, 0 to 720." />
            <NumberField {...form.field("perThirtyDays")} label="Releases in 30 Days" hint="Of one key, 1 to 100." />
          </div>
          <NumberField
            {...form.field("idleDays")}
            label="Idle Days (optional)"
            hint="A device that was not seen for more days gives its slot to a new one."
          />
          <NumberField
            {...form.field("leaseHours")}
            label="Hours Offline"
            hint="How long it keeps working without a connection, even with a revoked key, 0 to 168."
          />
        </>
      )}
    </>
  );
}

function prefixHint(prefix = ""): string {
  return `Keys look like ${prefix === "" ? "" : `${prefix}-`}XXXXX-XXXXX-XXXXX.`;
}
