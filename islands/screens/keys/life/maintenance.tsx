import { type GameForm, MaintenanceForm } from "../../../../src/catalogue/game-form.ts";
import type { Game } from "../../../../src/catalogue/schema.ts";
import { changeGame, refreshCatalogue } from "../../../api/calls/catalogue.ts";
import { useWork } from "../../../api/query.ts";
import { FormDialog } from "../../../forms/form-dialog.tsx";
import type { Openable } from "../../../ui/dialog/lazy-dialog.tsx";
import { TextField } from "../../../ui/field/field.tsx";

export const maintenanceTexts = {
  label: "Maintenance (optional)",
  placeholder: "We are back at 18:00 UTC.",
  hint: "While this is set, every verification is refused with this sentence.",
};

/** Sets or ends the maintenance of a game, and nothing else. */
export default function Maintenance({ game, ...dialog }: Openable & { game: Game }) {
  const work = useWork({
    mutationFn: (form: Pick<GameForm, "maintenance">) => changeGame(game.id, form),
    done: ({ name, maintenance }) => `${name} is ${maintenance === null ? "open" : "under maintenance"}`,
    failed: "Failed to save maintenance",
    onSuccess: refreshCatalogue,
  });
  return (
    <FormDialog
      {...dialog}
      title={`Maintenance of ${game.name}`}
      description="An empty sentence ends it. The time of keys goes on."
      work={work}
      submit="Save Maintenance"
      busyText="Saving..."
      form={{ schema: MaintenanceForm, initial: { maintenance: game.maintenance } }}
    >
      {({ field }) => <TextField {...field("maintenance")} {...maintenanceTexts} data-autofocus />}
    </FormDialog>
  );
}
