import { type Static, Type } from "@sinclair/typebox";
import { Credits } from "../core/credits.ts";
import { pathNameOf, requiredLine, visibleLine } from "../core/field.ts";
import { gameNameCharactersMax as nameCharactersMax } from "./game-name.ts";
import { priceCreditsMax, resellerDeviceLimits } from "./limits.ts";

/* Shapes and limits of the catalogue (rules.md: Catalogue). */

const sentenceCharactersMax = 200;
export const hoursMax = 8_760;

/** 1 to 40 visible characters and spaces. Names appear in paths, so there are no slashes in them. */
const name = (is: string) =>
  Type.RegExp(pathNameOf(nameCharactersMax), {
    examples: ["PUBG MOBILE"],
    pattern: `^[^/\\\\]{1,${nameCharactersMax}}$`,
    says: {
      required: `${is} is required`,
      wrong: `${is} must be 1 to ${nameCharactersMax} visible characters, without / and \\`,
      isText: true,
    },
  });

const sentence = (is: string, example: string) =>
  Type.Union(
    [
      Type.Null(),
      Type.RegExp(visibleLine, {
        maxLength: sentenceCharactersMax,
        pattern: `^.{0,${sentenceCharactersMax}}$`,
      }),
    ],
    {
      examples: [example],
      description: '"" or null: none',
      says: { wrong: `${is} must be one line of at most ${sentenceCharactersMax} characters`, isText: true },
    },
  );

const gameFields = {
  name: name("Name"),
  aliases: Type.Array(name("An alias"), { maxItems: 20, uniqueItems: true, examples: [["PUBG"]] }),
  prefix: Type.String({
    pattern: "^[A-Z0-9]{0,8}$",
    examples: ["PBGM"],
    description: 'The start of generated keys; "": none',
    says: { wrong: "Prefix must be at most 8 characters of A to Z and 0 to 9" },
  }),
  isRetired: Type.Boolean({ description: "No keys are generated for a retired game" }),
  maintenance: sentence("Maintenance", "We are back at 18:00 UTC."),
  minimumVersion: Type.Union([Type.Null(), Type.String({ pattern: "^(\\d{1,9}(\\.\\d{1,9}){0,3})?$" })], {
    examples: ["1.12.3"],
    description: 'Up to four numbers; "" or null: any version',
    says: { wrong: "Minimum version must be up to four numbers, such as 1.12.3" },
  }),
  updateMessage: sentence("Update message", "Please install version 1.12.3."),
};

const wholeNumber = (is: string, [minimum, maximum]: [number, number], example: number, description: string) =>
  Type.Integer({
    minimum,
    maximum,
    examples: [example],
    description,
    says: { wrong: `${is} must be a whole number from ${minimum} to ${maximum}` },
  });

/** How long a proof lets a game play offline (rules.md: Proofs). */
const LeaseHours = wholeNumber(
  "Hours offline",
  [0, 168],
  24,
  "How long games may play offline; at most 24 times `idleDays`",
);

/** How players may free the devices of their keys (rules.md: Releases by players). */
export const Release = Type.Object({
  isAllowed: Type.Boolean({
    description: "Whether players may free devices",
    says: { wrong: "isAllowed must be true or false" },
  }),
  cooldownHours: wholeNumber("cooldownHours", [0, 720], 24, "Hours between two releases of a key"),
  perThirtyDays: wholeNumber("perThirtyDays", [1, 100], 3, "Releases of a key within 30 days"),
  idleDays: Type.Union([Type.Null(), Type.Integer({ minimum: 1, maximum: 365 })], {
    examples: [null],
    description: "A device that was unseen for more days gives its slot to a new one; null: never",
    says: { wrong: "idleDays must be a whole number from 1 to 365, or null" },
  }),
});
export type Release = Static<typeof Release>;

export const Game = Type.Object({
  id: Type.Integer({ examples: [1] }),
  ...gameFields,
  release: Release,
  leaseHours: LeaseHours,
});
export type Game = Static<typeof Game>;
/** What is left out of `release` stays as it is. */
export const ReleaseChange = Type.Partial(Release);
const changedFields = Type.Partial(Type.Object({ ...gameFields, release: ReleaseChange, leaseHours: LeaseHours }));
export const NewGame = Type.Object({ ...changedFields.properties, name: gameFields.name });
export type NewGame = Static<typeof NewGame>;
/** What is left out stays as it is. */
export const GameChange = changedFields;
export type GameChange = Static<typeof GameChange>;

const label = requiredLine("Label", "30 days", nameCharactersMax);
const isRetired = Type.Boolean({ description: "No keys are sold for a retired duration" });

export const Duration = Type.Object({
  id: Type.Integer({ examples: [4] }),
  label,
  hours: Type.Integer({ minimum: 1, maximum: hoursMax, examples: [720] }),
  isRetired,
});
export type Duration = Static<typeof Duration>;
export const NewDuration = Type.Object({
  label,
  hours: Type.Integer({
    minimum: 1,
    maximum: hoursMax,
    examples: [720],
    says: { required: "Hours are required", wrong: `Hours must be a whole number from 1 to ${hoursMax}` },
  }),
  isRetired: Type.Optional(isRetired),
});
export type NewDuration = Static<typeof NewDuration>;
export const DurationChange = Type.Object({
  label: Type.Optional(label),
  hours: Type.Optional(Type.Integer({ description: "Must be what it is: hours never change" })),
  isRetired: Type.Optional(isRetired),
});
export type DurationChange = Static<typeof DurationChange>;

export const Price = Type.Object({
  gameId: Type.Integer({ examples: [1] }),
  durationId: Type.Integer({ examples: [4] }),
  deviceLimit: Type.Integer({ examples: [1], description: `One of ${resellerDeviceLimits.join(", ")}` }),
  credits: Type.Number({
    minimum: 0,
    maximum: priceCreditsMax,
    examples: [3],
    says: { wrong: `A price must be 0 to ${priceCreditsMax} credits` },
  }),
});
export type Price = Static<typeof Price>;

export const PriceList = Type.Object({
  id: Type.Integer({ examples: [1] }),
  name: name("Name"),
  prices: Type.Array(Price),
});
export type PriceList = Static<typeof PriceList>;
export const NewPriceList = Type.Object({ name: name("Name"), prices: Type.Optional(Type.Array(Price)) });
export type NewPriceList = Static<typeof NewPriceList>;
export const PriceListChange = Type.Partial(NewPriceList);
export type PriceListChange = Static<typeof PriceListChange>;

export const PriceListChoice = Type.Object({
  priceListId: Type.Integer({
    examples: [1],
    says: { required: "priceListId is required", wrong: "priceListId must be the id of a price list" },
  }),
});
export type PriceListChoice = Static<typeof PriceListChoice>;

/** What the caller can order. Retired games and durations are left out. */
export const Catalogue = Type.Object({
  games: Type.Array(Type.Pick(Game, ["id", "name", "aliases", "prefix", "maintenance"]), { description: "By id" }),
  durations: Type.Array(Type.Pick(Duration, ["id", "label", "hours"]), { description: "By hours" }),
  deviceLimits: Type.Array(Type.Integer(), { description: "Ascending", examples: [[1, 2, 100]] }),
  prices: Type.Array(Type.Object({ ...Price.properties, credits: Credits }), { description: "None for admins" }),
});
export type Catalogue = Static<typeof Catalogue>;
