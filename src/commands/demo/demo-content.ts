import type { InterventionForm } from "../../interventions/schema.ts";
import type { TokenOrder } from "../../tokens/schema.ts";
import type { UpdateForm } from "../../updates/schema.ts";

interface Batch {
  daysAgo: number;
  days: 5 | 10 | 20 | 30 | 60;
  count: number;
  deviceLimit: 1 | 2 | 100;
  starts?: "first_use";
  revokesFirst?: boolean;
  /** What the reseller did to its first key today. */
  today?: "paused" | "extended";
  /** The username of the staff account that it made then. */
  helper?: string;
  /** The note of the order. */
  note?: string;
  /** Notes of its first keys, one each. A device was removed from the first of them. */
  keyNotes?: string[];
}

/** Credits that an admin added, and why. */
interface Grant {
  daysAgo: number;
  amount: number;
  note: string;
}

interface DemoReseller {
  username: string;
  /** Credits of the referral token. */
  bonus: number;
  /** Credits that an admin added. */
  granted: number;
  batches: Batch[];
  laterGrants?: Grant[];
  /** Why an admin suspended the account. */
  suspendedFor?: string;
}

/** The resellers of the demo: a busy shop first, then smaller ones, a suspended one, and a new one. */
export const demoResellers: DemoReseller[] = [
  {
    username: "night.owl",
    bonus: 25.5,
    granted: 400,
    batches: [
      { daysAgo: 75, days: 30, count: 24, deviceLimit: 1, revokesFirst: true },
      { daysAgo: 58, days: 10, count: 8, deviceLimit: 1, note: "Weekend offer" },
      { daysAgo: 47, days: 30, count: 5, deviceLimit: 2 },
      { daysAgo: 40, days: 60, count: 12, deviceLimit: 2, note: "Clan of Ana, all summer" },
      { daysAgo: 33, days: 5, count: 20, deviceLimit: 1, note: "Trial keys for the stream" },
      { daysAgo: 26, days: 30, count: 30, deviceLimit: 1, keyNotes: ["Ana, new phone", "Luca", "Streamer Mo"] },
      { daysAgo: 12, days: 20, count: 16, deviceLimit: 100, revokesFirst: true },
      { daysAgo: 7, days: 10, count: 4, deviceLimit: 1, today: "extended" },
      {
        daysAgo: 4,
        days: 10,
        count: 10,
        deviceLimit: 2,
        today: "paused",
        helper: "owl.helper",
        note: "Tournament on Saturday",
        keyNotes: ["Team Fox", "Team Owl"],
      },
      { daysAgo: 1, days: 30, count: 6, deviceLimit: 1, starts: "first_use" },
    ],
    laterGrants: [
      { daysAgo: 44, amount: 50, note: "Paid by bank transfer" },
      { daysAgo: 15, amount: 30, note: "For the keys that did not work" },
    ],
  },
  {
    username: "Volta_Keys",
    bonus: 10,
    granted: 150,
    batches: [
      { daysAgo: 50, days: 30, count: 20, deviceLimit: 1 },
      { daysAgo: 9, days: 30, count: 14, deviceLimit: 2, revokesFirst: true },
    ],
  },
  { username: "marta-games", bonus: 5, granted: 60, batches: [{ daysAgo: 20, days: 60, count: 9, deviceLimit: 1 }] },
  {
    username: "KeyHarbour",
    bonus: 0,
    granted: 90,
    batches: [
      { daysAgo: 33, days: 20, count: 11, deviceLimit: 1, revokesFirst: true },
      { daysAgo: 6, days: 30, count: 8, deviceLimit: 100 },
    ],
  },
  { username: "sunday_shop", bonus: 15, granted: 0, batches: [{ daysAgo: 18, days: 5, count: 22, deviceLimit: 1 }] },
  {
    username: "fastlane",
    bonus: 5,
    granted: 45,
    batches: [{ daysAgo: 30, days: 30, count: 12, deviceLimit: 2 }],
    suspendedFor: "Sold keys that were refunded",
  },
  { username: "orchid.store", bonus: 8, granted: 20, batches: [{ daysAgo: 11, days: 10, count: 7, deviceLimit: 1 }] },
  { username: "Bram88", bonus: 2.5, granted: 30, batches: [{ daysAgo: 8, days: 30, count: 5, deviceLimit: 2 }] },
  { username: "newcomer", bonus: 10, granted: 0, batches: [] },
];

/** As games send them. Some games send none. */
export const demoDeviceNames = ["Pixel 8", null, "Redmi Note 13", "Galaxy Tab S9 FE+ 5G", "iPhone 15 Pro Max"];

/** The admins' own keys: for testers, a tournament, a partner. */
export const demoAdminBatches: {
  game: string;
  daysAgo: number;
  days: number;
  count: number;
  deviceLimit: 1 | 2 | 5 | 10 | 100;
}[] = [
  { game: "PUBG MOBILE", daysAgo: 60, days: 30, count: 10, deviceLimit: 1 },
  { game: "LAST ISLAND OF SURVIVAL", daysAgo: 21, days: 90, count: 12, deviceLimit: 5 },
  { game: "FREE FIRE", daysAgo: 7, days: 30, count: 25, deviceLimit: 2 },
  { game: "PUBG MOBILE", daysAgo: 2, days: 365, count: 3, deviceLimit: 100 },
];

/** An hour ago, after an outage on the day before. */
export const demoCompensation: InterventionForm = {
  kind: "compensate",
  scope: { all: true },
  hours: 12,
  reason: "Outage of last night",
  dryRun: false,
};

/** Unused tokens. */
export const demoTokens: TokenOrder[] = [
  {},
  { credits: 5, label: "for Mei, from the summer tournament" },
  { credits: 25, label: "for Ana" },
];

export const demoUpdates: (UpdateForm & { daysAgo: number; changedAfterDays?: number })[] = [
  {
    title: "Version 3.0 is out",
    message: "A new map, shorter loading times, and the crash after a match is gone.",
    isActive: false,
    daysAgo: 64,
    changedAfterDays: 20,
  },
  {
    title: "Servers rest on Sunday",
    message: "Between 02:00 and 04:00 UTC keys are checked as always, but new ones cannot be bought.",
    isActive: false,
    daysAgo: 19,
  },
  {
    title: "Version 3.1 is out",
    message: "Restart the game to get it. Keys and devices stay as they are.",
    buttonText: "What is new",
    linkUrl: "https://example.com/news/3-1",
    isActive: true,
    daysAgo: 5,
    changedAfterDays: 1,
  },
];
