import { afterEach, beforeEach, expect, test } from "bun:test";
import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { Duration, Game, PriceList } from "../../src/catalogue/schema.ts";
import type { Reseller } from "../../src/resellers/schema.ts";
import { expectFocus, expectGone } from "../../tests/expect-element.ts";
import { type FetchStub, restoreFetch, stubFetch } from "../api/fetch-stub.ts";
import { queryClient } from "../api/query.ts";
import { PanelState } from "../shell/root/panel-state.tsx";
import { currentToast } from "../ui/toast/store.ts";
import Catalogue from "./catalogue.tsx";

const release = { isAllowed: true, cooldownHours: 24, perThirtyDays: 3, idleDays: null };
const plain = {
  ...{ aliases: [], isRetired: false, maintenance: null, minimumVersion: null, updateMessage: null },
  ...{ release, leaseHours: 24 },
};
const fire: Game = { ...plain, id: 1, name: "FREE FIRE", prefix: "FIRE", aliases: ["FF", "Fire"] };
const chess: Game = { ...plain, id: 2, name: "Chess", prefix: "" };
const gone: Game = { ...plain, id: 3, name: "Gone", prefix: "GONE", isRetired: true };
const five: Duration = { id: 1, label: "5 days", hours: 120, isRetired: false };
const hour: Duration = { id: 2, label: "One hour", hours: 1, isRetired: false };
const priceOf = (gameId: number, durationId: number, deviceLimit: number, credits: number) => ({
  ...{ gameId, durationId, deviceLimit, credits },
});

let games: Game[];
let lists: PriceList[];
let server: FetchStub;

beforeEach(() => {
  games = [fire, chess, gone];
  lists = [
    { id: 1, name: "Standard", prices: [priceOf(1, 1, 1, 0.5), priceOf(1, 1, 2, 1), priceOf(3, 1, 1, 9)] },
    { id: 2, name: "Friends", prices: [] },
  ];
  server = stubFetch({
    "GET /api/admin/games": () => games,
    "GET /api/admin/durations": () => [five, hour],
    "GET /api/admin/price-lists": () => lists,
    "GET /api/admin/resellers": () => [1, 1, 2].map((priceListId) => ({ priceListId })) as Reseller[],
    "POST /api/admin/games": ({ body }) => {
      const game: Game = { ...plain, prefix: "", ...body, id: 4, maintenance: null, release, leaseHours: 24 };
      games = [...games, game];
      return game;
    },
    "PUT /api/admin/games/:id": ({ params, body }) => {
      games = games.map((game) =>
        String(game.id) === params.id ? { ...game, ...body, release: { ...game.release, ...body.release } } : game,
      );
      return games.find(({ id }) => String(id) === params.id) as Game;
    },
    "PUT /api/admin/price-lists/:id": ({ params, body }) => {
      lists = lists.map((list) => (String(list.id) === params.id ? { ...list, ...body } : list));
      return lists.find(({ id }) => String(id) === params.id) as PriceList;
    },
  });
  currentToast.value = null;
});
afterEach(() => {
  restoreFetch();
  queryClient.clear();
});

function show(search = "") {
  window.history.replaceState(null, "", `/admin/catalogue${search}`);
  render(
    <PanelState>
      <Catalogue search={search} />
    </PanelState>,
  );
}

const sent = () => server.received.filter(({ call }) => !call.startsWith("GET")).map(({ call, body }) => [call, body]);
const priceField = (name: string) => screen.findByLabelText<HTMLInputElement>(name);

async function type(field: HTMLElement, text: string) {
  await userEvent.clear(field);
  if (text !== "") await userEvent.type(field, text);
}

async function press(name: string) {
  await userEvent.click(await screen.findByRole("button", { name }));
}

const dialogNamed = async (name: string) => within(await screen.findByRole("dialog", { name }));

test("a new game is sent with its aliases, and its prices can be set at once", async () => {
  show();
  await press("Add Game");
  const dialog = await dialogNamed("Add Game");
  await userEvent.click(dialog.getByRole("button", { name: "Add Game" }));
  expect(await dialog.findByText("Name is required")).toBeTruthy();
  await type(dialog.getByLabelText("Name"), "Ludo");
  await type(dialog.getByLabelText("Prefix (optional)"), "ludo");
  expect(dialog.getByText("Keys look like LUDO-XXXXX-XXXXX-XXXXX.")).toBeTruthy();
  await type(dialog.getByLabelText("Aliases (optional)"), "Parchis\n\n Ludo King ");
  await userEvent.click(dialog.getByRole("button", { name: "Add Game" }));
  const [first] = await screen.findAllByText("Not sold yet: it has no prices in this list.");
  expect(first?.closest("th")?.textContent).toStartWith("Ludo");
  expect(sent()).toEqual([
    ["POST /api/admin/games", { name: "Ludo", prefix: "LUDO", aliases: ["Parchis", "Ludo King"] }],
  ]);
});

test("a taken name is reported at its field, and keeps what was typed", async () => {
  server.responses["POST /api/admin/games"] = () =>
    Response.json({ message: "The name Chess is already taken.", code: "NAME_TAKEN" }, { status: 409 });
  show();
  await press("Add Game");
  const dialog = await dialogNamed("Add Game");
  await type(dialog.getByLabelText("Name"), "Chess");
  await userEvent.click(dialog.getByRole("button", { name: "Add Game" }));
  expect(await dialog.findByText("The name Chess is already taken.")).toBeTruthy();
  const name = dialog.getByLabelText<HTMLInputElement>("Name");
  await expectFocus(name);
  expect([name.value, name.getAttribute("aria-invalid")]).toEqual(["Chess", "true"]);
});

test("maintenance, a minimum version and aliases are edited, and the list shows them", async () => {
  show();
  await press("Edit FREE FIRE");
  const dialog = await dialogNamed("Edit Game");
  expect(dialog.getByLabelText<HTMLTextAreaElement>("Aliases (optional)").value).toBe("FF\nFire");
  await type(dialog.getByLabelText("Maintenance (optional)"), "Back soon.");
  await type(dialog.getByLabelText("Minimum Version (optional)"), "1.x");
  await userEvent.click(dialog.getByRole("button", { name: "Save Game" }));
  expect(await dialog.findByText("Minimum version must be up to four numbers, such as 1.12.3")).toBeTruthy();
  await type(dialog.getByLabelText("Minimum Version (optional)"), "1.12");
  await userEvent.click(dialog.getByRole("switch", { name: /Players May Free Devices/ }));
  await type(dialog.getByLabelText("Releases in 30 Days"), "5");
  await type(dialog.getByLabelText("Idle Days (optional)"), "60");
  await type(dialog.getByLabelText("Hours Offline"), "169");
  await userEvent.click(dialog.getByRole("button", { name: "Save Game" }));
  expect(await dialog.findByText("Hours offline must be a whole number from 0 to 168")).toBeTruthy();
  await type(dialog.getByLabelText("Hours Offline"), "72");
  await userEvent.click(dialog.getByRole("button", { name: "Save Game" }));
  expect(await screen.findByText("Back soon. · Also FF, Fire")).toBeTruthy();
  expect(screen.getByText("Maintenance")).toBeTruthy();
  expect(sent()).toEqual([
    [
      "PUT /api/admin/games/1",
      {
        ...{ name: "FREE FIRE", prefix: "FIRE", aliases: ["FF", "Fire"], maintenance: "Back soon." },
        ...{ minimumVersion: "1.12", updateMessage: "" },
        release: { isAllowed: false, cooldownHours: 24, perThirtyDays: 5, idleDays: 60 },
        leaseHours: 72,
      },
    ],
  ]);
});

test("the maintenance of a game is set and ended from its row, and nothing else is sent", async () => {
  show();
  await press("Maintenance of FREE FIRE…");
  const dialog = await dialogNamed("Maintenance of FREE FIRE");
  const field = dialog.getByLabelText("Maintenance (optional)");
  await expectFocus(field);
  await type(field, "Back soon.");
  await userEvent.click(dialog.getByRole("button", { name: "Save Maintenance" }));
  expect(await screen.findByText("Back soon. · Also FF, Fire")).toBeTruthy();
  await expectGone(() => screen.queryByRole("dialog"));
  await press("Maintenance of FREE FIRE…");
  const again = await dialogNamed("Maintenance of FREE FIRE");
  const shown = again.getByLabelText<HTMLInputElement>("Maintenance (optional)");
  expect(shown.value).toBe("Back soon.");
  await type(shown, "");
  await userEvent.click(again.getByRole("button", { name: "Save Maintenance" }));
  await waitFor(() =>
    expect(sent()).toEqual([
      ["PUT /api/admin/games/1", { maintenance: "Back soon." }],
      ["PUT /api/admin/games/1", { maintenance: "" }],
    ]),
  );
});

test("retiring a game asks first and says what happens; bringing it back does not ask", async () => {
  show();
  await press("Retire FREE FIRE");
  const question = within(await screen.findByRole("alertdialog", { name: "Retire Game" }));
  expect(question.getByText(/Existing keys keep working, and filters still offer it/)).toBeTruthy();
  expect(sent()).toEqual([]);
  await userEvent.click(question.getByRole("button", { name: "Retire" }));
  await press("Bring back FREE FIRE");
  await screen.findByRole("button", { name: "Retire FREE FIRE" });
  expect(sent()).toEqual([
    ["PUT /api/admin/games/1", { isRetired: true }],
    ["PUT /api/admin/games/1", { isRetired: false }],
  ]);
});

test("an hour that is taken is reported at its field, and a label is changed without the hours", async () => {
  server.responses["POST /api/admin/durations"] = () =>
    Response.json({ message: "There is a duration of 120 hours already.", code: "HOURS_TAKEN" }, { status: 409 });
  server.responses["PUT /api/admin/durations/:id"] = () => five;
  show("?tab=durations");
  await press("Add Duration");
  const adding = await dialogNamed("Add Duration");
  await type(adding.getByLabelText("Label"), "Five");
  await type(adding.getByLabelText("Hours"), "120");
  expect(adding.getByText("= 5 days. Hours never change.")).toBeTruthy();
  await userEvent.click(adding.getByRole("button", { name: "Add Duration" }));
  await expectFocus(adding.getByLabelText("Hours"));
  expect(adding.getByText("There is a duration of 120 hours already.")).toBeTruthy();
  await userEvent.click(adding.getByRole("button", { name: "Cancel" }));
  await press("Edit 5 days");
  const editing = await dialogNamed("Edit Duration");
  await type(editing.getByLabelText("Label"), "Five days");
  await userEvent.click(editing.getByRole("button", { name: "Save Duration" }));
  await waitFor(() => expect(sent().at(-1)).toEqual(["PUT /api/admin/durations/1", { label: "Five days" }]));
});

test("before prices are saved the page says what changes and for how many resellers", async () => {
  show("?tab=prices");
  await type(await priceField("FREE FIRE, 5 days, 1 device"), "0,7");
  const groups = within(screen.getByRole("table")).getAllByRole("rowheader", { name: /^(FREE FIRE|Chess)/ });
  expect(groups.map(({ textContent }) => textContent?.slice(0, 5))).toEqual(["Chess", "FREE "]);
  expect(await screen.findByText("1 price changes for 2 resellers.")).toBeTruthy();
  await type(await priceField("FREE FIRE, 5 days, 2 devices"), "");
  await type(await priceField("FREE FIRE, One hour, Unlimited"), "2");
  const sentence = "1 price changes, 1 combination is newly sold, 1 combination is no longer sold for 2 resellers.";
  expect(await screen.findByText(sentence)).toBeTruthy();
  // The other tabs and lists keep it.
  await userEvent.click(screen.getByRole("tab", { name: "Games" }));
  await userEvent.click(screen.getByRole("tab", { name: "Prices" }));
  expect((await priceField("FREE FIRE, 5 days, 1 device")).value).toBe("0,7");
  await press("Save Prices");
  await expectGone(() => screen.queryByText(sentence));
  // What is retired keeps its prices.
  const prices = [priceOf(3, 1, 1, 9), priceOf(1, 1, 1, 0.7), priceOf(1, 2, 100, 2)];
  expect(sent()).toEqual([["PUT /api/admin/price-lists/1", { prices }]]);
  expect((await priceField("FREE FIRE, 5 days, 1 device")).value).toBe("0.7");
});

test("a text that is no price is not sent, and Discard brings the prices back", async () => {
  show("?tab=prices");
  const field = await priceField("FREE FIRE, 5 days, 1 device");
  await type(field, "0.25");
  expect(await screen.findByText(/^A price is a number of credits from 0 to 1,000,000/)).toBeTruthy();
  fireEvent.submit(field.closest("form") as HTMLFormElement);
  await expectFocus(field);
  expect(sent()).toEqual([]);
  await press("Discard");
  expect((await priceField("FREE FIRE, 5 days, 1 device")).value).toBe("0.5");
  await expectGone(() => screen.queryByRole("button", { name: "Save Prices" }));
});

test("a game without prices gets those of another one, and saving keeps what another admin changed meanwhile", async () => {
  show("?tab=prices");
  await userEvent.selectOptions(await screen.findByLabelText("Same prices as, for Chess"), "FREE FIRE");
  expect((await priceField("Chess, 5 days, 2 devices")).value).toBe("1");
  expect(await screen.findByText("2 combinations are newly sold for 2 resellers.")).toBeTruthy();
  lists = lists.map((list) => ({ ...list, prices: [priceOf(1, 1, 1, 0.6)] }));
  await press("Save Prices");
  await waitFor(() => expect(sent()).toHaveLength(1));
  const prices = [priceOf(1, 1, 1, 0.6), priceOf(2, 1, 1, 0.5), priceOf(2, 1, 2, 1)];
  expect(sent()).toEqual([["PUT /api/admin/price-lists/1", { prices }]]);
});

test("a new price list begins with the prices of the one that is shown, and is shown then", async () => {
  server.responses["POST /api/admin/price-lists"] = ({ body }) => {
    const list: PriceList = { id: 3, prices: [], ...body };
    lists = [...lists, list];
    return list;
  };
  show("?tab=prices");
  await screen.findByLabelText("Price list");
  await press("Add Price List");
  const dialog = await dialogNamed("Add Price List");
  expect(dialog.getByText("It begins with the prices of Standard.")).toBeTruthy();
  await type(dialog.getByLabelText("Name"), "Wholesale");
  await userEvent.click(dialog.getByRole("button", { name: "Add Price List" }));
  await waitFor(() => expect(screen.getByLabelText<HTMLSelectElement>("Price list").value).toBe("3"));
  expect(sent()).toEqual([["POST /api/admin/price-lists", { name: "Wholesale", prices: lists[0]?.prices }]]);
});
