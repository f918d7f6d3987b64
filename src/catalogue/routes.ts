import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import { described } from "../http/describe.ts";
import { messageAfter } from "../http/response.ts";
import { IdParams, Message } from "../http/schema.ts";
import type { CatalogueService } from "./catalogue.ts";
import type { PriceLists } from "./price-lists.ts";
import {
  Catalogue,
  Duration,
  DurationChange,
  Game,
  GameChange,
  NewDuration,
  NewGame,
  NewPriceList,
  PriceList,
  PriceListChange,
  PriceListChoice,
} from "./schema.ts";

const exampleGame = {
  id: 1,
  name: "PUBG MOBILE",
  aliases: [],
  prefix: "PBGM",
  isRetired: false,
  maintenance: null,
  minimumVersion: null,
  updateMessage: null,
  release: { isAllowed: true, cooldownHours: 24, perThirtyDays: 3, idleDays: null },
  leaseHours: 24,
};
const exampleDuration = { id: 4, label: "30 days", hours: 720, isRetired: false };
const examplePrice = { gameId: 1, durationId: 4, deviceLimit: 1, credits: 3 };
const assignedSentence = "Price list changed.";
const examplePriceList = { id: 1, name: "Standard", prices: [examplePrice] };

type Services = { access: Access; catalogue: CatalogueService; priceLists: PriceLists };

/** What is sold (rules.md: Catalogue). Nothing in the catalogue is deleted. */
export function createCatalogueRoutes({ access, catalogue, priceLists }: Services) {
  return new Elysia({ name: "catalogue", prefix: "/api", tags: ["Catalogue"] })
    .use(access)
    .get("/catalogue", ({ caller }) => catalogue.of(caller), {
      only: ["signedIn", "any"],
      response: { 200: Catalogue },
      detail: described({
        id: "getCatalogue",
        summary: "What you can order",
        description: "Without retired games and durations. Admin keys are free, so admins see no prices.",
        example: {
          games: [{ id: 1, name: "PUBG MOBILE", aliases: [], prefix: "PBGM", maintenance: null }],
          durations: [{ id: 4, label: "30 days", hours: 720 }],
          deviceLimits: [1, 2, 100],
          prices: [examplePrice],
        },
      }),
    })
    .get("/games", () => catalogue.gameNames(), {
      only: ["signedIn", "any"],
      response: { 200: Type.Array(Type.Pick(Game, ["id", "name", "isRetired", "leaseHours"])) },
      detail: described({
        id: "listGameNames",
        summary: "The names of all games, by id",
        description: "For filters: keys of retired games stay in the lists.",
        example: [{ id: 1, name: "PUBG MOBILE", isRetired: false, leaseHours: 24 }],
      }),
    })
    .get("/admin/games", () => catalogue.games(), {
      only: ["admin", "stats:read"],
      response: { 200: Type.Array(Game) },
      detail: described({
        id: "listGames",
        summary: "All games, by id",
        description: "With retired ones.",
        example: [exampleGame],
      }),
    })
    .post("/admin/games", async ({ body, caller, status }) => status(201, await catalogue.addGame(caller, body)), {
      onlyPeopleWithTable: "admin",
      body: NewGame,
      response: { 201: Game },
      detail: described({
        id: "addGame",
        summary: "Add a game",
        description: "It is sold as soon as a price list has a price for it.",
        example: exampleGame,
        refusals: ["NAME_TAKEN"],
      }),
    })
    .put("/admin/games/:id", ({ params, body, caller }) => catalogue.changeGame(caller, params.id, body), {
      onlyPeopleWithTable: "admin",
      params: IdParams,
      body: GameChange,
      response: { 200: Game },
      detail: described({
        id: "changeGame",
        summary: "Change a game",
        description: "What is left out stays. A renamed game keeps its old name as an alias.",
        example: { ...exampleGame, maintenance: "We are back at 18:00 UTC." },
        refusals: ["NAME_TAKEN"],
      }),
    })
    .get("/admin/durations", () => catalogue.durations(), {
      only: ["admin", "stats:read"],
      response: { 200: Type.Array(Duration) },
      detail: described({
        id: "listDurations",
        summary: "All durations, by id",
        description: "With retired ones.",
        example: [exampleDuration],
      }),
    })
    .post(
      "/admin/durations",
      async ({ body, caller, status }) => status(201, await catalogue.addDuration(caller, body)),
      {
        onlyPeopleWithTable: "admin",
        body: NewDuration,
        response: { 201: Duration },
        detail: described({
          id: "addDuration",
          summary: "Add a duration",
          description: "No two have the same hours. It is sold as soon as a price list has a price for it.",
          example: exampleDuration,
          refusals: ["HOURS_TAKEN"],
        }),
      },
    )
    .put("/admin/durations/:id", ({ params, body, caller }) => catalogue.changeDuration(caller, params.id, body), {
      onlyPeopleWithTable: "admin",
      params: IdParams,
      body: DurationChange,
      response: { 200: Duration },
      detail: described({
        id: "changeDuration",
        summary: "Rename or retire a duration",
        description: "What is left out stays. The hours never change.",
        example: { ...exampleDuration, isRetired: true },
      }),
    })
    .get("/admin/price-lists", () => priceLists.list(), {
      only: ["admin", "stats:read"],
      response: { 200: Type.Array(PriceList) },
      detail: described({
        id: "listPriceLists",
        summary: "All price lists, by id",
        description: "With their prices. A reseller has one of them, at first the first.",
        example: [examplePriceList],
      }),
    })
    .post("/admin/price-lists", async ({ body, caller, status }) => status(201, await priceLists.add(caller, body)), {
      onlyPeopleWithTable: "admin",
      body: NewPriceList,
      response: { 201: PriceList },
      detail: described({
        id: "addPriceList",
        summary: "Add a price list",
        description: "A combination without a price is not sold. The body may have 1 MiB.",
        example: examplePriceList,
        refusals: ["NOT_FOUND", "NAME_TAKEN"],
      }),
    })
    .put("/admin/price-lists/:id", ({ params, body, caller }) => priceLists.change(caller, params.id, body), {
      onlyPeopleWithTable: "admin",
      params: IdParams,
      body: PriceListChange,
      response: { 200: PriceList },
      detail: described({
        id: "changePriceList",
        summary: "Change a price list",
        description: "The prices are replaced as a whole. Keys that were ordered keep what they cost.",
        example: examplePriceList,
        refusals: ["NAME_TAKEN"],
      }),
    })
    .put(
      "/admin/resellers/:id/price-list",
      ({ params, body, caller }) =>
        messageAfter(priceLists.assign(caller, params.id, body.priceListId), assignedSentence),
      {
        only: ["admin", "resellers:manage"],
        params: IdParams,
        body: PriceListChoice,
        response: { 200: Message },
        detail: described({
          id: "assignPriceList",
          summary: "Give a reseller another price list",
          description: "It applies at once, to later orders only.",
          example: { message: assignedSentence },
        }),
      },
    );
}
