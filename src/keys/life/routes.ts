import { Elysia } from "elysia";
import type { Access } from "../../accounts/access.ts";
import type { Role } from "../../accounts/schema.ts";
import { type Description, described } from "../../http/describe.ts";
import { messageAfter } from "../../http/response.ts";
import { IdParams, RetryHeaders, type SchemaOf } from "../../http/schema.ts";
import { ReplacementForm } from "../custom-key.ts";
import { exampleAdminKey, exampleResellerKey } from "../model.ts";
import { asAdmin, asReseller, ownFor, type RoleOfKeys } from "../routes.ts";
import type { Extension, Extensions } from "./extend.ts";
import type { LimitChange, LimitChanges } from "./limit.ts";
import type { Pauses } from "./pause.ts";
import type { Replacements } from "./replace.ts";
import {
  AdminExtension,
  AdminLimitChange,
  AdminSelectionExtension,
  ExtendedSelection,
  FreeKey,
  KeyDuration,
  LimitPrice,
  PaidKey,
  PaidSelection,
  ResellerLimitChange,
  ResellerLimitQuery,
  SelectionExtension,
} from "./schema.ts";

interface Services {
  access: Access;
  extensions: Extensions;
  limitChanges: LimitChanges;
  pauses: Pauses;
  replacements: Replacements;
}

type Texts = Omit<Description, "id">;

/** What a change cost, and for a reseller what it leaves. */
type Paid = { cost: number; credits?: number };

/** Extensions cost admins nothing. Results that an older version remembered have no cost. */
const free = { cost: 0 };

const extended = "Key extended successfully";
const severalExtended = "Keys extended successfully";
const changed = "Device limit changed successfully";
const replaced = "Key replaced successfully";
const paused = { status: "PAUSED", pausedAt: "2025-03-06T09:00:00.000Z" };

const ofLimits = "The limit cannot be lower than the number of connected devices.";
const resumedTime = "It gets back exactly the time that it was paused.";

const whenExtending = ["CLOCK_AHEAD", "EXPIRY_TOO_FAR"] as const;
const whenPaying = ["CREDITS_SHORT", "NOT_SOLD", "COST_CHANGED", "CLOCK_AHEAD"] as const;

/** What happens to the time and the device limit of keys (rules.md: The time of a key). */
export function createTimeRoutes({ access, extensions, limitChanges, pauses, replacements }: Services) {
  return new Elysia({ name: "time-of-keys", prefix: "/api", tags: ["Keys"] })
    .use(
      extension(asReseller, KeyDuration, PaidKey, {
        summary: "Extend one of your keys and pay for it with credits",
        example: { message: extended, key: exampleResellerKey, cost: 3, credits: 9.5 },
        refusals: ["KEY_ALREADY_REVOKED", "INVALID_DAY_TIER", "EXTERNAL_ID_REUSED", ...whenPaying, ...whenExtending],
      }),
    )
    .use(
      extension(asAdmin, AdminExtension, FreeKey, {
        summary: "Extend any key, for free",
        example: { message: extended, key: exampleAdminKey, cost: 0 },
        refusals: ["KEY_ALREADY_REVOKED", ...whenExtending],
      }),
    )
    .use(
      extensionOfSelected("reseller", SelectionExtension, PaidSelection, {
        summary: "Extend up to 2,000 of your keys and pay for them with credits",
        example: { message: severalExtended, extendedCount: 40, cost: 120, credits: 9.5 },
        refusals: ["COUNT_CHANGED", "INVALID_DAY_TIER", ...whenPaying, ...whenExtending],
      }),
    )
    .use(
      extensionOfSelected("admin", AdminSelectionExtension, ExtendedSelection, {
        summary: "Extend up to 2,000 admin keys, or keys of a reseller, for free",
        example: { message: severalExtended, extendedCount: 40, cost: 0 },
        refusals: ["NOT_FOUND", "COUNT_CHANGED", ...whenExtending],
      }),
    )
    .use(
      limitChange(asReseller, ResellerLimitChange, PaidKey, {
        summary: "Change the device limit of one of your keys",
        description: `${ofLimits} Raising it costs the difference of the prices, for the shortest duration on sale that covers the time that is left. Lowering is free.`,
        example: { message: changed, key: exampleResellerKey, cost: 1.5, credits: 9.5 },
        refusals: ["KEY_ALREADY_REVOKED", "DEVICES_CONNECTED", ...whenPaying],
      }),
    )
    .use(
      limitChange(asAdmin, AdminLimitChange, FreeKey, {
        summary: "Change the device limit of any key, for free",
        description: ofLimits,
        example: { message: changed, key: exampleAdminKey, cost: 0 },
        refusals: ["KEY_ALREADY_REVOKED", "DEVICES_CONNECTED"],
      }),
    )
    .use(access)
    .get(
      "/reseller/keys/:id/device-limit",
      ({ params, query, caller }) => limitChanges.look(caller, params.id, query.deviceLimit),
      {
        only: ["reseller", "keys:read"],
        params: IdParams,
        query: ResellerLimitQuery,
        response: { 200: LimitPrice },
        detail: described({
          id: "priceOwnLimit",
          summary: "What another device limit of one of your keys would cost",
          description: "It is refused like the change, except for `CREDITS_SHORT`.",
          example: { cost: 1.5, credits: 9.5 },
          refusals: [
            "NOT_FOUND",
            "KEY_ALREADY_REVOKED",
            "DEVICES_CONNECTED",
            "NOT_SOLD",
            "CLOCK_AHEAD",
            "TOO_MANY_TRIES",
          ],
        }),
      },
    )
    .use(
      pauseOrResumption("pause", asReseller, {
        summary: "Pause one of your active keys, for 30 days in total",
        description: "It verifies as PAUSED and loses no time. When the days are used up, the pause ends by itself.",
        refusals: ["PAUSE_USED_UP"],
      }),
    )
    .use(
      pauseOrResumption("resume", asReseller, {
        summary: "Resume a key that you paused",
        description: resumedTime,
        refusals: ["PAUSED_BY_ADMIN"],
      }),
    )
    .use(
      pauseOrResumption("pause", asAdmin, {
        summary: "Pause any active key, or take over its reseller's pause",
        description: "Only admins can resume it, and it does not use the reseller's days.",
      }),
    )
    .use(
      pauseOrResumption("resume", asAdmin, {
        summary: "Resume any paused key",
        description: resumedTime,
      }),
    )
    .use(replacement(asReseller, { summary: "Give one of your keys a new text", refusals: ["REPLACED_TOO_OFTEN"] }))
    .use(replacement(asAdmin, { summary: "Give any key a new text" }));

  function extension<Who extends Role, Key, Form extends Extension>(
    { who, view }: RoleOfKeys<Who, Key>,
    form: SchemaOf<Form>,
    result: SchemaOf<{ message: string; key: Key } & Paid>,
    texts: Texts,
  ) {
    return new Elysia().use(access).post(
      `/${who}/keys/:id/extend`,
      async ({ params, body, caller, headers }) => {
        const shown = { idempotencyKey: headers["idempotency-key"], view };
        return { message: extended, ...free, ...(await extensions.extend(caller, params.id, body, shown)) };
      },
      {
        only: [who, "keys:order"],
        params: IdParams,
        headers: RetryHeaders,
        body: form,
        response: { 200: result },
        detail: described({
          id: `extend${ownFor(who)}Key`,
          ...texts,
          description:
            "The expiry moves by the hours: of an expired key from now on, of any other from its expiry. A key that has not started gets a longer duration.",
        }),
      },
    );
  }

  function extensionOfSelected<Who extends Role, Form extends SelectionExtension | AdminSelectionExtension>(
    who: Who,
    form: SchemaOf<Form>,
    result: SchemaOf<ExtendedSelection & Paid>,
    texts: Texts,
  ) {
    return new Elysia().use(access).post(
      `/${who}/keys/selected/extend`,
      async ({ body, caller, headers }) => {
        const { extendedCount, paid } = await extensions.extendSelected(caller, body, headers["idempotency-key"]);
        return { message: severalExtended, ...free, extendedCount, ...paid };
      },
      {
        only: [who, "keys:order"],
        headers: RetryHeaders,
        body: form,
        response: { 200: result },
        detail: described({
          id: `extend${ownFor(who)}Keys`,
          ...texts,
          description:
            "`count` is the `toExtend` that the preview with the same duration returned. All keys are extended, or none. Revoked keys, and for resellers those that are not sold, are left out.",
        }),
      },
    );
  }

  function limitChange<Who extends Role, Key, Form extends LimitChange>(
    { who, view }: RoleOfKeys<Who, Key>,
    form: SchemaOf<Form>,
    result: SchemaOf<{ message: string; key: Key } & Paid>,
    texts: Texts,
  ) {
    return new Elysia()
      .use(access)
      .put(
        `/${who}/keys/:id/device-limit`,
        ({ params, body, caller }) => messageAfter(limitChanges.changeLimit(caller, params.id, body, view), changed),
        {
          only: [who, "keys:order"],
          params: IdParams,
          body: form,
          response: { 200: result },
          detail: described({ id: `limit${ownFor(who)}Key`, ...texts }),
        },
      );
  }

  function replacement<Who extends Role, Key>(
    { who, view, changed, example }: RoleOfKeys<Who, Key>,
    { refusals = [], ...texts }: Omit<Texts, "example">,
  ) {
    return new Elysia().use(access).post(
      `/${who}/keys/:id/replace`,
      async ({ params, body, caller, headers }) => {
        const shown = { idempotencyKey: headers["idempotency-key"], view };
        return { message: replaced, ...(await replacements.replace(caller, params.id, body, shown)) };
      },
      {
        only: [who, "keys:manage"],
        params: IdParams,
        headers: RetryHeaders,
        body: ReplacementForm,
        response: { 200: changed },
        detail: described({
          id: `replace${ownFor(who)}Key`,
          ...texts,
          description:
            "For a text that leaked. The key keeps everything but its devices. The old text becomes a revoked key, whose `replacedBy` is the key's id.",
          example: { message: replaced, key: example },
          refusals: [...refusals, "NOT_FOUND", "KEY_ALREADY_REVOKED", "KEY_NOT_ACTIVE", "KEY_TAKEN", "CLOCK_AHEAD"],
        }),
      },
    );
  }

  function pauseOrResumption<Verb extends "pause" | "resume", Who extends Role, Key>(
    verb: Verb,
    { who, view, changed, example }: RoleOfKeys<Who, Key>,
    { refusals = [], ...texts }: Omit<Texts, "example">,
  ) {
    const message = `The key is ${verb === "pause" ? "paused" : "active"}`;
    return new Elysia()
      .use(access)
      .post(
        `/${who}/keys/:id/${verb}`,
        async ({ params, caller }) => ({ message, key: await pauses[verb](caller, params.id, view) }),
        {
          only: [who, "keys:manage"],
          params: IdParams,
          response: { 200: changed },
          detail: described({
            id: `${verb}${ownFor(who)}Key`,
            ...texts,
            example: { message, key: verb === "pause" ? { ...example, ...paused } : example },
            refusals: [...refusals, "NOT_FOUND", "KEY_NOT_ACTIVE", "CLOCK_AHEAD"],
          }),
        },
      );
  }
}
