import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import { hasScope, type Viewer } from "../accounts/principal.ts";
import { type Role, resellerIdOf, roles, type SessionUser } from "../accounts/schema.ts";
import { isoOf, msPerSecond, type Now } from "../core/clock.ts";
import { formFieldsOf, unreadBody } from "../http/body.ts";
import { packed } from "../http/compression.ts";
import type { CreatePace } from "../http/rate-limit.ts";
import type { Clients } from "../http/request.ts";
import type { TimedCall } from "../http/response.ts";
import type { Interventions } from "../interventions/interventions.ts";
import type { Keys } from "../keys/keys.ts";
import type { KeyLists } from "../keys/list/lists.ts";
import { acceptedLanguage, languageOf } from "../languages/languages.ts";
import type { Orders } from "../orders/orders.ts";
import type { PlayerLookup } from "../players/player-lookup.ts";
import type { PlayerResult } from "../players/player-result.ts";
import { languageIn } from "../reference/call.ts";
import type { Resellers } from "../resellers/resellers.ts";
import { firstStepsCookie, languageCookie, lastRoleCookie } from "./cookies.ts";
import { entrancePaths, mayOpen, type PageRequest, type PanelPath, panelPaths, roleOf } from "./page.ts";
import { type RenderedPages, requesterOf } from "./rendered-pages.ts";
import { freshNonce, pageResponse } from "./response.ts";

const homeOf: Record<Role, string> = { admin: "/admin", reseller: "/reseller" };

/** What the id in a page's address belongs to. */
interface Subject {
  isThere: boolean;
  /** Whose key or order it is. */
  owner: Role | null;
  /** For resellers. */
  username: string | null;
}

const nothingNamed: Subject = { isThere: true, owner: null, username: null };

interface Dependencies {
  access: Pick<Access, "viewerOf">;
  clients: Pick<Clients, "addressOf" | "refuseCrossSite">;
  resellers: Pick<Resellers, "usernameOf">;
  keys: Pick<Keys, "ownerRoleOf" | "expiringSoon">;
  orders: Pick<Orders, "ownerRoleOf">;
  interventions: Pick<Interventions, "pauses">;
  keyLists: Pick<KeyLists, "countShared">;
  messagingLink: string | null;
  renderedPages: Pick<RenderedPages, "htmlOf">;
  now: Now;
}

/** The pages (rules.md: Pages). `unknownPage` renders the response to a path that is no route. */
export function createPages({
  access: { viewerOf },
  clients,
  resellers: { usernameOf },
  keys,
  orders,
  interventions,
  keyLists,
  messagingLink,
  renderedPages: { htmlOf },
  now,
}: Dependencies) {
  const plugin = new Elysia({ name: "pages" });
  const hidden = { detail: { hide: true } };
  const owned = (owner: Role | null): Subject => ({ isThere: owner !== null, owner, username: null });
  const key = async (viewer: Viewer, id: number) => owned(await keys.ownerRoleOf(viewer, id));
  const order = async (viewer: Viewer, id: number) => owned(await orders.ownerRoleOf(viewer, id));
  const reseller = async (_viewer: Viewer, id: number) => {
    const username = await usernameOf(id);
    return { isThere: username !== null, owner: null, username };
  };
  const lookUp: Partial<Record<PanelPath, (viewer: Viewer, id: number) => Promise<Subject>>> = {
    "/admin/resellers/:id": reseller,
    "/admin/resellers/:id/keys": reseller,
    "/admin/keys/:id": key,
    "/admin/orders/:id": order,
    "/reseller/keys/:id": key,
    "/reseller/orders/:id": order,
  };

  for (const page of entrancePaths) {
    plugin.get(
      page,
      async ({ request }) => {
        const viewer = await viewerOf(request);
        if (viewer) return redirect(homeOf[viewer.role]);
        const lastRole = cookieIn(request, lastRoleCookie) === "reseller" ? "reseller" : "admin";
        return rendered(request, { area: "entrance", page, lastRole, messagingLink });
      },
      hidden,
    );
  }
  for (const page of Object.keys(panelPaths) as PanelPath[]) {
    plugin.get(
      page,
      async ({ request, params: { id = "" } = {} }: { request: Request; params?: { id?: string } }) => {
        const viewer = await viewerOf(request);
        const { pathname, search } = new URL(request.url);
        if (!viewer) return redirect(`/#to=${encodeURIComponent(pathname + search)}`);
        if (viewer.role !== roleOf(page)) return redirect(homeOf[viewer.role]);
        if (id !== "" && !isId(id)) return notFound(request);
        const isOpen = mayOpen(viewer.rights, page);
        const { isThere, owner, username } = await ((isOpen && lookUp[page]?.(viewer, Number(id))) || nothingNamed);
        const readsKeys = hasScope(viewer, "keys:read");
        const pageRequest: PageRequest = {
          area: "panel",
          page: isOpen ? page : "closed",
          search,
          owner,
          username,
          // The islands send it to the browser, which must not see the session's id.
          viewer: shownOf(viewer),
          expiringKeys: page === "/reseller" && readsKeys ? await keys.expiringSoon(resellerIdOf(viewer)) : 0,
          // A database that is too busy to count costs the lines and not the page.
          pauses: page === homeOf[viewer.role] && readsKeys ? await interventions.pauses(viewer).catch(() => []) : [],
          sharedKeys: page === homeOf[viewer.role] && readsKeys ? await keyLists.countShared(viewer).catch(() => 0) : 0,
          mayGuide: page === "/admin" && viewer.rights === null && cookieIn(request, firstStepsCookie) === null,
          language: languageIn(cookieIn(request, languageCookie)),
          today: isoOf(now()).slice(0, "2026-11-22".length),
        };
        // The page itself says inside its frame that there is no such thing.
        return rendered(request, pageRequest, { status: isOpen ? (isThere ? 200 : 404) : 403, id });
      },
      hidden,
    );
  }
  return Object.assign(plugin, { unknownPage, notFound });

  /** Not found, or in the other role's area a redirect to the viewer's home, whether there is such a page or not. */
  async function unknownPage(request: Request): Promise<Response> {
    const area = areaOf(new URL(request.url).pathname);
    // If the database does not respond, the page is not found as for everyone else.
    const viewer = area && isReading(request) ? await viewerOf(request).catch(() => null) : null;
    return viewer && viewer.role !== area ? redirect(homeOf[viewer.role]) : notFound(request);
  }

  function notFound(request: Request, status = 404): Promise<Response> {
    return rendered(request, { area: "nowhere" }, { status });
  }

  async function rendered(request: Request, page: PageRequest, { status = 200, id = "" } = {}): Promise<Response> {
    const nonce = freshNonce();
    const values = { nonce, renderedAt: isoOf(now()), id, key: "" };
    const address = clients.addressOf(request);
    const html = await htmlOf(page, values, address);
    const { body, headers } = await packed(html, request, requesterOf(page, address));
    return pageResponse(body, { nonce, status, headers });
  }
}

/** What a page is rendered for. The rights belong to it, or a staff account would get the page of another account. */
function shownOf({ id, username, role, rights, owner }: Viewer): SessionUser {
  return { id, username, role, rights, owner };
}

/** The role whose area contains a path. */
function areaOf(pathname: string): Role | undefined {
  return roles.find((role) => pathname === homeOf[role] || pathname.startsWith(`${homeOf[role]}/`));
}

function isReading({ method }: Request): boolean {
  return method === "GET" || method === "HEAD";
}

function redirect(location: string): Response {
  return new Response(null, { status: 302, headers: { location, "cache-control": "no-store" } });
}

/** Whether an id in a path may exist. */
function isId(text: string): boolean {
  return /^[1-9][0-9]{0,14}$/.test(text);
}

/** The value of a cookie, which is not verified. */
function cookieIn(request: Request, name: string): string | null {
  return new Bun.CookieMap(request.headers.get("cookie") ?? "").get(name);
}

interface PlayerDependencies extends Pick<Dependencies, "clients" | "renderedPages" | "now"> {
  lookup: PlayerLookup;
  createPace: CreatePace;
}

/** rules.md: The player's page. For one address, because a page with a key is rendered for its player alone. */
const addressPace = { atOnce: 20, perSecond: 10 };
/** So many devices take as long to render as the rest of a page. */
const devicesPerPage = 10;

/** As how many pages it counts. A page on which nothing was looked up is kept, and counts as none. */
function pagesCounted({ found }: PlayerResult): number {
  if (found === null) return 0;
  const devices = found === "NOT_FOUND" ? 0 : (found.devices?.length ?? 0);
  return 1 + Math.floor(devices / devicesPerPage);
}

/** HTML and JSON write these characters alike. */
const plainText = /^[^\p{C}\p{Zl}\p{Zp}"&'<>\\]*$/u;

/**
 * The page on which players look up their key and free its devices (rules.md: The player's page). Its forms work without
 * scripts, so this is the only call that takes forms. A key is never part of an address.
 */
export function createPlayerPage({ clients, lookup, renderedPages, createPace, now }: PlayerDependencies) {
  const pace = createPace(addressPace);
  const hidden = { hide: true };
  return new Elysia({ name: "player-page" })
    .get("/k", ({ request }) => rendered(request, null), { detail: hidden })
    .post("/k", ({ request, server }) => looked({ request, server }), {
      parse: unreadBody,
      transform: ({ request }) => clients.refuseCrossSite(request),
      detail: hidden,
    });

  async function looked({ request, server }: TimedCall): Promise<Response> {
    const fields = await formFieldsOf({ request, server });
    const key = fields.get("key") ?? "";
    const sent = { key, ref: fields.get("ref"), isSure: fields.get("sure") === "yes" };
    const result = await lookup.look(sent, () => clients.addressOf(request));
    for (let page = 0; page < pagesCounted(result); page += 1) await pace(clients.addressOf(request));
    return rendered(request, result, key);
  }

  async function rendered(request: Request, result: PlayerResult | null, sentKey = ""): Promise<Response> {
    const asked = languageOf(new URL(request.url).searchParams.get("lang"));
    const language = asked ?? acceptedLanguage(request.headers.get("accept-language")) ?? "en";
    const nonce = freshNonce();
    const key = plainText.test(sentKey) ? sentKey : "";
    const values = { nonce, renderedAt: isoOf(now()), id: "", key };
    const address = clients.addressOf(request);
    const page: PageRequest = { area: "player", language, result };
    const html = await renderedPages.htmlOf(page, values, address);
    const { body, headers } = await packed(html, request, requesterOf(page, address));
    if (result === null || result.retryAt === null) return pageResponse(body, { nonce, headers });
    const response = pageResponse(body, { nonce, status: 429, headers });
    const waitMs = Date.parse(result.retryAt) - Date.parse(result.at);
    response.headers.set("retry-after", String(waitMs / msPerSecond));
    return response;
  }
}
