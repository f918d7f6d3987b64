import { Elysia } from "elysia";
import { isoOf, type Now } from "../core/clock.ts";
import { formFieldsOf, unreadBody } from "../http/body.ts";
import type { Clients } from "../http/request.ts";
import type { TimedCall } from "../http/response.ts";
import { acceptedLanguage, languageOf } from "../languages/languages.ts";
import type { PlayerLookup } from "../players/player-lookup.ts";
import type { PlayerResult } from "../players/player-result.ts";
import type { RenderedPages } from "./rendered-pages.ts";
import { freshNonce, pageResponse } from "./response.ts";

interface Dependencies {
  clients: Pick<Clients, "addressOf" | "refuseCrossSite">;
  lookup: PlayerLookup;
  renderedPages: Pick<RenderedPages, "htmlOf">;
  now: Now;
}

/**
 * The page on which players look up their key and free its devices (rules.md: The player's page). Its forms work without
 * scripts, so this is the only call that takes forms. A key is never part of an address.
 */
export function createPlayerPage({ clients, lookup, renderedPages, now }: Dependencies) {
  const hidden = { hide: true };
  return new Elysia({ name: "player-page" })
    .get("/k", ({ request }) => rendered(request, null), { detail: hidden })
    .post("/k", async ({ request, server }) => rendered(request, await looked({ request, server })), {
      parse: unreadBody,
      transform: ({ request }) => clients.refuseCrossSite(request),
      detail: hidden,
    });

  async function looked(call: TimedCall): Promise<PlayerResult> {
    const fields = await formFieldsOf(call);
    const sent = { key: fields.get("key") ?? "", ref: fields.get("ref") };
    return lookup.look(sent, () => clients.addressOf(call.request));
  }

  async function rendered(request: Request, result: PlayerResult | null): Promise<Response> {
    const asked = languageOf(new URL(request.url).searchParams.get("lang"));
    const language = asked ?? acceptedLanguage(request.headers.get("accept-language")) ?? "en";
    const nonce = freshNonce();
    const html = await renderedPages.htmlOf(
      { area: "player", language, result },
      { nonce, renderedAt: isoOf(now()), id: "" },
    );
    return pageResponse(html, { nonce });
  }
}
