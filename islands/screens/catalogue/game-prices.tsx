import { clsx } from "clsx";
import { deviceLimitUnlimited, priceCreditsMax, resellerDeviceLimits } from "../../../src/catalogue/limits.ts";
import type { Duration, Game } from "../../../src/catalogue/schema.ts";
import { pluralText } from "../../format.ts";
import { NumberInput } from "../../ui/field/field.tsx";
import { cellOf, creditsIn } from "./price-changes.ts";

export interface CellState {
  savedIn: (cell: string) => string;
  textIn: (cell: string) => string;
  /** While the prices are saved. */
  readOnly: boolean;
}

/** The prices of one game: a row for each duration, a column for each device limit. */
export function GamePrices({
  game,
  durations,
  cells,
}: {
  game: Game;
  durations: readonly Duration[];
  cells: CellState;
}) {
  return (
    <table className="mb-3 w-full text-left">
      <thead className="text-xs text-muted">
        <tr>
          <th scope="col" className="pr-1 pl-4 font-medium md:pl-5">
            Duration
          </th>
          {resellerDeviceLimits.map((limit) => (
            <th
              key={limit}
              scope="col"
              className={`${cellLook} text-right font-medium tracking-tight whitespace-nowrap`}
            >
              {limitText(limit)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {durations.map(({ id, label }) => (
          <tr key={id}>
            <th scope="row" className="py-1 pr-1 pl-4 text-sm font-medium wrap-anywhere md:pl-5">
              {label}
            </th>
            {resellerDeviceLimits.map((deviceLimit) => (
              <td key={deviceLimit} className={cellLook}>
                <PriceInput
                  cell={cellOf({ gameId: game.id, durationId: id, deviceLimit })}
                  name={`${game.name}, ${label}, ${limitText(deviceLimit)}`}
                  {...cells}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function PriceInput({ cell, name, savedIn, textIn, readOnly }: CellState & { cell: string; name: string }) {
  const [saved, text] = [savedIn(cell), textIn(cell)];
  return (
    <NumberInput
      // Another price, by another admin, replaces the one that is shown.
      key={saved}
      name={cell}
      aria-label={name}
      aria-invalid={Number.isNaN(creditsIn(text)) || undefined}
      defaultValue={text}
      inputMode="decimal"
      placeholder="–"
      min={0}
      max={priceCreditsMax}
      step={0.5}
      readOnly={readOnly}
      className={clsx("px-2! text-right", text !== saved && "text-brass-bright!")}
    />
  );
}

const cellLook = "w-1/5 min-w-15 py-1 pr-1.5 last:pr-4 md:last:pr-5";

function limitText(deviceLimit: number): string {
  return deviceLimit === deviceLimitUnlimited ? "Unlimited" : pluralText(deviceLimit, "device");
}
