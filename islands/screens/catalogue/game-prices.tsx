import { clsx } from "clsx";
import type { ReactNode } from "react";
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

/** A column for each device limit, and a group of rows for each game. */
export function PriceTable({ label, children }: { label: string; children: ReactNode }) {
  return (
    <table aria-label={label} className="mb-2 w-full text-left">
      <thead className="text-xs text-muted">
        <tr>
          <th scope="col" className="py-2.5 pr-1 pl-4 font-medium md:pl-5">
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
      {children}
    </table>
  );
}

interface GamePricesProps {
  game: Game;
  durations: readonly Duration[];
  cells: CellState;
  /** Below its name. */
  children: ReactNode;
}

/** The prices of one game: a row for each duration. */
export function GamePrices({ game, durations, cells, children }: GamePricesProps) {
  return (
    <tbody>
      <tr className="border-y border-line bg-raised">
        <th
          scope="rowgroup"
          colSpan={resellerDeviceLimits.length + 1}
          className="px-4 py-2 font-semibold wrap-anywhere md:px-5"
        >
          <span translate="no">{game.name}</span>
          {children}
        </th>
      </tr>
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
