import { type Duration, type Game, NewDuration, NewPriceList, type PriceList } from "../../../src/catalogue/schema.ts";
import {
  addDuration,
  addPriceList,
  changeDuration,
  changeGame,
  changePriceList,
  refreshCatalogue,
} from "../../api/calls/catalogue.ts";
import { useWork } from "../../api/query.ts";
import { pluralText } from "../../format.ts";
import { Confirmation } from "../../forms/confirmation.tsx";
import { FormDialog } from "../../forms/form-dialog.tsx";
import type { Openable } from "../../ui/dialog/lazy-dialog.tsx";
import { NumberField, TextField } from "../../ui/field/field.tsx";
import Maintenance from "../keys/life/maintenance.tsx";
import { GameDialog } from "./game-dialog.tsx";

/** What a dialog is about. Without a row it adds one. */
export type Subject =
  | { action: "game"; game: Game | null }
  | { action: "maintenance"; game: Game }
  | { action: "duration"; duration: Duration | null }
  /** A new list begins with the prices of `shown`. */
  | { action: "priceList"; list: PriceList | null; shown?: PriceList }
  | ({ action: "retirement" } & Retired);

interface Retired {
  kind: "Game" | "Duration";
  id: number;
  name: string;
}

export interface CatalogueDialogProps extends Openable {
  subject: Subject;
  onAdded: (added: { game: Game } | { list: PriceList }) => void;
}

/** The dialogs of the catalogue. One at a time: each is modal. */
export default function CatalogueDialog({ subject, onAdded, ...dialog }: CatalogueDialogProps) {
  if (subject.action === "game")
    return <GameDialog {...dialog} game={subject.game} onAdded={(game) => onAdded({ game })} />;
  if (subject.action === "maintenance") return <Maintenance {...dialog} {...subject} />;
  if (subject.action === "duration") return <DurationDialog {...dialog} duration={subject.duration} />;
  if (subject.action === "priceList")
    return <PriceListDialog {...dialog} {...subject} onAdded={(list) => onAdded({ list })} />;
  return <Retirement {...dialog} {...subject} />;
}

function DurationDialog({ duration, ...dialog }: Openable & { duration: Duration | null }) {
  const work = useWork({
    mutationFn: ({ label, hours }: NewDuration) =>
      duration ? changeDuration(duration.id, { label }) : addDuration({ label, hours }),
    done: ({ label }) => (duration ? `${label} saved` : `${label} added. It is sold as soon as it has a price.`),
    failed: duration ? "Failed to save duration" : "Failed to add duration",
    onSuccess: refreshCatalogue,
  });
  return (
    <FormDialog
      {...dialog}
      title={duration ? "Edit Duration" : "Add Duration"}
      width="narrow"
      work={work}
      submit={duration ? "Save Duration" : "Add Duration"}
      busyText={duration ? "Saving..." : "Adding..."}
      form={{
        schema: NewDuration,
        initial: { label: duration?.label, hours: duration?.hours },
        fieldOf: { HOURS_TAKEN: "hours" },
      }}
    >
      {({ field, values }) => (
        <>
          <TextField
            {...field("label")}
            label="Label"
            placeholder="7 days"
            hint={duration ? `${pluralText(duration.hours, "hour")}, which never change.` : undefined}
            data-autofocus
          />
          {duration ? (
            <input {...field("hours")} hidden />
          ) : (
            <NumberField {...field("hours")} label="Hours" hint={hoursHint(values.hours)} />
          )}
        </>
      )}
    </FormDialog>
  );
}

function hoursHint(hours = 0): string {
  const days = hours / 24;
  return Number.isInteger(days) && days > 0
    ? `= ${pluralText(days, "day")}. Hours never change.`
    : "They never change.";
}

type PriceListDialogProps = Openable & {
  list: PriceList | null;
  shown?: PriceList;
  onAdded: (list: PriceList) => void;
};

function PriceListDialog({ list, shown, onAdded, ...dialog }: PriceListDialogProps) {
  const work = useWork({
    mutationFn: ({ name }: NewPriceList) =>
      list ? changePriceList(list.id, { name }) : addPriceList({ name, prices: shown?.prices }),
    done: ({ name }) => `${name} ${list ? "saved" : "added"}`,
    failed: list ? "Failed to save price list" : "Failed to add price list",
    onSuccess: async (saved) => {
      await refreshCatalogue();
      if (!list) onAdded(saved);
    },
  });
  return (
    <FormDialog
      {...dialog}
      title={list ? "Rename Price List" : "Add Price List"}
      description={shown && `It begins with the prices of ${shown.name}.`}
      width="narrow"
      work={work}
      submit={list ? "Save Name" : "Add Price List"}
      busyText={list ? "Saving..." : "Adding..."}
      form={{ schema: NewPriceList, initial: { name: list?.name }, fieldOf: { NAME_TAKEN: "name" } }}
    >
      {({ field }) => <TextField {...field("name")} label="Name" hint="Only admins can see it." data-autofocus />}
    </FormDialog>
  );
}

const retirementTexts = {
  Game: "is no longer sold, and admins can't make keys for it either. Existing keys keep working, and filters still offer it. You can bring it back.",
  Duration:
    "is no longer sold, for any game. Keys that were sold keep their time. You can bring it back with its prices.",
};

function Retirement({ kind, id, name, ...dialog }: Openable & Retired) {
  return (
    <Confirmation
      {...dialog}
      title={`Retire ${kind}`}
      text={
        <>
          <strong className="font-medium text-text wrap-anywhere">{name}</strong> {retirementTexts[kind]}
        </>
      }
      confirmLabel="Retire"
      busyLabel="Retiring..."
      mutationFn={async () => void (await (kind === "Game" ? changeGame : changeDuration)(id, { isRetired: true }))}
      done={`${name} retired`}
      failed={`Failed to retire ${name}`}
      onSuccess={refreshCatalogue}
    />
  );
}
