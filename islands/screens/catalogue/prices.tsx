import { useQuery } from "@tanstack/react-query";
import { Pencil } from "lucide-react";
import { type FormEvent, useRef, useState } from "react";
import { priceCreditsMax, resellerDeviceLimits } from "../../../src/catalogue/limits.ts";
import type { Duration, Game, PriceList } from "../../../src/catalogue/schema.ts";
import {
  allGamesQuery,
  changePriceList,
  durationsQuery,
  priceListsQuery,
  refreshCatalogue,
} from "../../api/calls/catalogue.ts";
import { allResellersQuery } from "../../api/calls/resellers.ts";
import { queryClient, useWork } from "../../api/query.ts";
import { QueryFailure } from "../../api/query-failure.tsx";
import { countText } from "../../format.ts";
import { useRights } from "../../runtime/rights.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { NativeSelectField } from "../../ui/field/field.tsx";
import { NativeSelect } from "../../ui/field/native-select.tsx";
import { KeptFocus } from "../../ui/focus.ts";
import { SkeletonCards } from "../../ui/skeleton.tsx";
import type { Subject } from "./dialogs.tsx";
import { type CellState, GamePrices, PriceTable } from "./game-prices.tsx";
import { cellOf, changeSentence, changesIn, type PriceChanges, pricesWith, type TypedPrices } from "./price-changes.ts";

/** What was typed and is not saved, by the id of the list. */
export type Drafts = Readonly<Record<number, TypedPrices>>;

interface PricesProps {
  /** The id of the list in the address; any other text is the first list. */
  listId: string;
  onChoose: (listId: string) => void;
  drafts: Drafts;
  onType: (listId: number, typed: TypedPrices) => void;
  show: (subject: Subject) => void;
}

const none: TypedPrices = {};

/** The price lists, each as one table with the games that are sold as groups. */
export function Prices({ listId, onChoose, drafts, onType, show }: PricesProps) {
  const [lists, games, durations] = [useQuery(priceListsQuery), useQuery(allGamesQuery), useQuery(durationsQuery)];
  const failed = [lists, games, durations].find(({ data, isError }) => isError && !data);
  if (failed) {
    return (
      <Card>
        <QueryFailure query={failed} fallback="The prices could not be loaded." />
      </Card>
    );
  }
  const list = listIn(lists.data, listId);
  if (!list || !games.data || !durations.data) {
    return (
      <div className="grid gap-4">
        <SkeletonCards count={3} label="Loading the prices" className="h-75" />
      </div>
    );
  }
  const sold = games.data.filter(({ isRetired }) => !isRetired);
  return (
    <>
      <div className="mb-4 flex items-end gap-2">
        <NativeSelectField
          label="Price list"
          className="min-w-0 grow md:max-w-xs"
          value={list.id}
          choices={lists.data?.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
          onChange={(event) => onChoose(event.target.value)}
        />
        <Button need="everything" icon={<Pencil size={16} />} onClick={() => show({ action: "priceList", list })}>
          Rename
        </Button>
      </div>
      <PriceGrid
        key={list.id}
        list={list}
        games={sold.toReversed()}
        durations={durations.data.filter(({ isRetired }) => !isRetired).toSorted((a, b) => a.hours - b.hours)}
        typed={drafts[list.id] ?? none}
        onType={(typed) => onType(list.id, typed)}
      />
      {sold.length === 0 && (
        <Card>
          <EmptyState title="No game is sold" hint="Add a game, or bring one back." />
        </Card>
      )}
    </>
  );
}

export function listIn(lists: readonly PriceList[] | undefined, id: string): PriceList | undefined {
  return lists?.find((list) => String(list.id) === id) ?? lists?.[0];
}

interface PriceGridProps {
  list: PriceList;
  games: readonly Game[];
  durations: readonly Duration[];
  typed: TypedPrices;
  onType: (typed: TypedPrices) => void;
}

function PriceGrid({ list, games, durations, typed, onType }: PriceGridProps) {
  const form = useRef<HTMLFormElement>(null);
  /** The fields keep their own texts, until a new version has those of the list and the draft. */
  const [version, setVersion] = useState(0);
  const changes = changesIn(list, typed);
  const { may } = useRights();
  const { mutate: save, isPending } = useSave(list, typed, () => onType(none));
  const saved = new Map(list.prices.map((price) => [cellOf(price), String(price.credits)]));
  const cells: CellState = {
    savedIn: (cell) => saved.get(cell) ?? "",
    textIn: (cell) => typed[cell] ?? saved.get(cell) ?? "",
    readOnly: isPending || !may("everything"),
  };
  const combinations = durations.flatMap(({ id: durationId }) =>
    resellerDeviceLimits.map((deviceLimit) => ({ durationId, deviceLimit })),
  );
  const textsOf = (gameId: number) => combinations.map((each) => cells.textIn(cellOf({ ...each, gameId })));
  const priced = games.filter(({ id }) => textsOf(id).some((text) => text !== ""));

  function replace(next: TypedPrices) {
    onType(next);
    setVersion(version + 1);
  }
  function copy(from: number, to: number) {
    const texts = textsOf(from);
    const copied = combinations.map((each, index) => [cellOf({ ...each, gameId: to }), texts[index]]);
    replace({ ...typed, ...Object.fromEntries(copied) });
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    if (changes.hasWrong) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
    else if (changes.isAny) save();
  }

  return (
    <form
      ref={form}
      noValidate
      onSubmit={submit}
      onInput={({ target }) => {
        const { name, value } = target as HTMLInputElement;
        if (name !== "") onType({ ...typed, [name]: value });
      }}
    >
      <KeptFocus />
      {games.length > 0 && (
        <Card className="max-w-3xl min-w-0 overflow-clip">
          <PriceTable label={`Prices of ${list.name}`}>
            {games.map((game) => {
              const isNew = !list.prices.some(({ gameId }) => gameId === game.id);
              return (
                <GamePrices key={`${version}-${game.id}`} game={game} durations={durations} cells={cells}>
                  {isNew && (
                    <span className="flex flex-wrap items-center gap-x-4 gap-y-2 py-1 font-normal text-muted">
                      Not sold yet: it has no prices in this list.
                      <SamePrices of={priced.filter(({ id }) => id !== game.id)} to={game} copy={copy} />
                    </span>
                  )}
                </GamePrices>
              );
            })}
          </PriceTable>
        </Card>
      )}
      {changes.isAny && (
        <section aria-label="Changes" className={barLook}>
          <p role="status" className="min-w-0 grow">
            {changes.hasWrong ? wrongSentence : <Effect list={list} changes={changes} />}
          </p>
          <span className="flex gap-2 max-md:w-full max-md:*:grow">
            <Button disabled={isPending} onClick={() => replace(none)}>
              Discard
            </Button>
            <Button type="submit" variant="primary" busy={isPending} busyText="Saving...">
              Save Prices
            </Button>
          </span>
        </section>
      )}
    </form>
  );
}

const wrongSentence = `A price is a number of credits from 0 to ${countText(priceCreditsMax)}, with at most one decimal.`;

const barLook =
  "sticky bottom-4 z-15 mt-3 flex animate-slide flex-wrap items-center gap-3 rounded-xl border border-line bg-overlay px-4 py-2.5 lifted max-md:bottom-[calc(var(--bottom-bar)+0.5rem)]";

interface SamePricesProps {
  of: readonly Game[];
  to: Game;
  copy: (from: number, to: number) => void;
}

/** A game that is not sold yet gets the prices of another one, which can then be changed. */
function SamePrices({ of, to, copy }: SamePricesProps) {
  if (!useRights().may("everything") || of.length === 0) return null;
  return (
    <NativeSelect
      aria-label={`Same prices as, for ${to.name}`}
      placeholder="Same prices as…"
      className="md:max-w-48"
      value=""
      choices={of.map(({ id, name }) => ({ value: String(id), label: name }))}
      onChange={(event) => copy(Number(event.target.value), to.id)}
    />
  );
}

/** What saving will do. How many resellers have the list is fetched when something has changed. */
function Effect({ list, changes }: { list: PriceList; changes: PriceChanges }) {
  const { data } = useQuery(allResellersQuery);
  return <span>{changeSentence(changes, data?.filter(({ priceListId }) => priceListId === list.id).length)}</span>;
}

function useSave(list: PriceList, typed: TypedPrices, onSaved: () => void) {
  return useWork({
    mutationFn: async () => {
      // The call replaces all prices, and another admin may have changed some of them meanwhile.
      const now = listIn(await queryClient.fetchQuery({ ...priceListsQuery, staleTime: 0 }), String(list.id)) ?? list;
      return changePriceList(list.id, { prices: pricesWith(now, typed) });
    },
    done: "Prices saved",
    failed: "Failed to save prices",
    onSuccess: async (saved) => {
      queryClient.setQueryData(priceListsQuery.queryKey, (lists: PriceList[] = []) =>
        lists.map((each) => (each.id === saved.id ? saved : each)),
      );
      onSaved();
      await refreshCatalogue();
    },
  });
}
