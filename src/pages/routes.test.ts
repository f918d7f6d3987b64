import { expect, jest, test } from "bun:test";
import { createElement } from "react";
import type { Viewer } from "../accounts/principal.ts";
import type { Role } from "../accounts/schema.ts";
import { full } from "../accounts/schema.ts";
import { adminScopes } from "../accounts/scopes.ts";
import type { AssetManifest } from "../http/assets.ts";
import {
  cut,
  filled,
  freshSlots,
  hasRight,
  latchkey,
  mayOpen,
  type PanelPage,
  type PanelRequest,
  panelPaths,
} from "./page.ts";
import { jsonInHtml, renderPage, renderPanelPage } from "./render.tsx";
import type { RenderedPages } from "./rendered-pages.ts";
import { createFailurePage } from "./response.ts";
import { createPages } from "./routes.ts";
import { panelPages } from "./site.tsx";

const script = (name: string) => ({ file: `/assets/${name}.js`, imports: ["/assets/shared.js"] });
const assets: AssetManifest = {
  scripts: {
    "sign-in": script("sign-in"),
    registration: script("registration"),
    shell: script("shell"),
    "admin-overview": script("admin-overview"),
    account: script("account"),
    probe: script("probe"),
    "keys-of-reseller": script("keys-of-reseller"),
    "one-reseller": script("one-reseller"),
    "own-orders": script("own-orders"),
    "own-credits": script("own-credits"),
    "key-page": script("key-page"),
    "order-page": script("order-page"),
    dashboard: script("dashboard"),
  },
  styles: "/assets/styles.css",
  font: "/assets/geist.woff2",
  swagger: { styles: "/assets/swagger.css", script: "/assets/swagger.js" },
};

const sessionId = 987_654_321;
const admin: Viewer = { id: 1, username: "margaret", role: "admin", ...full, sessionId };
const pause = { interventionId: 3, game: "FREE FIRE", at: "2025-03-05T14:30:00.000Z", keys: 64, resellerNote: null };
const reseller: Viewer = { id: 2, username: "</script><b>", role: "reseller", ...full, sessionId };

/** Every viewer may open the keys and orders 7, of an admin, and 8, of a reseller. */
const owners: Record<number, Role> = { 7: "admin", 8: "reseller" };
const ownerRoleOf = async (_viewer: object, id: number) => owners[id] ?? null;
const usernameOf = async (id: number) => (id === reseller.id ? reseller.username : null);

const slots = freshSlots();

/** Renders each page anew, so that a test sees what rendering leaves behind. */
const renderedPages: Pick<RenderedPages, "htmlOf"> = {
  htmlOf: async (request, values) =>
    filled(cut(renderPage(request, { assets, brand: latchkey, slots }).html, slots), values),
};

function pagesFor(viewer: Viewer | null, messagingLink: string | null = null) {
  const access = { viewerOf: async () => viewer };
  return createPages({
    access,
    clients: { addressOf: () => "198.51.100.1", refuseCrossSite: () => {} },
    resellers: { usernameOf },
    keys: { ownerRoleOf, expiringSoon: async () => 2 },
    orders: { ownerRoleOf },
    interventions: { pauses: async () => [pause] },
    keyLists: { countShared: async () => 3 },
    messagingLink,
    renderedPages,
    now: () => 0,
  });
}

async function get(path: string, viewer: Viewer | null = null, messagingLink: string | null = null) {
  const response = await pagesFor(viewer, messagingLink).handle(new Request(`http://localhost${path}`));
  return { response, html: await response.text() };
}

const unknown = (path: string, viewer: Viewer | null = null, method = "GET") =>
  pagesFor(viewer).unknownPage(new Request(`http://localhost${path}`, { method }));

function panel(screen: PanelPage["screen"], { id, username, role } = admin): string {
  const page: PanelPage = { title: "Overview", screen };
  const request: PanelRequest = {
    area: "panel",
    page: "/admin",
    search: "?search=a",
    owner: null,
    username: null,
    viewer: { id, username, role, ...full },
    language: "javascript",
    expiringKeys: 0,
    pauses: [],
    sharedKeys: 0,
    mayGuide: false,
    today: "1970-01-01",
  };
  return renderPanelPage(page, request, { assets, brand: latchkey, slots }).html;
}

test("the overviews have the running pauses from the start, and what follows them", async () => {
  for (const [path, viewer] of [
    ["/admin", admin],
    ["/reseller", reseller],
  ] as const) {
    const { html } = await get(path, viewer);
    expect([path, html]).toEqual([path, expect.stringContaining("64 FREE FIRE keys paused since Mar 05, 14:30.")]);
  }
  expect((await get("/reseller", reseller)).html).toMatch(/Quick Actions/);
  expect((await get("/reseller", reseller)).html).not.toContain(' hidden=""');
});

test("the login shows the Admin tab, or the Reseller tab if a reseller signed in last", async () => {
  const login = async (cookie: string) => {
    const call = new Request("http://localhost/", { headers: { cookie } });
    return (await pagesFor(null).handle(call)).text();
  };
  expect(await login("other=1")).toContain("Login as Admin");
  expect(await login("last-role=reseller")).toContain("Login as Reseller");
  expect(await login("last-role=%3Cscript%3E")).toContain("Login as Admin");
});

test("without JavaScript each page says what does not work", async () => {
  expect((await get("/")).html).toContain("JavaScript to sign you in.");
  expect((await get("/register")).html).toContain("JavaScript to create your account.");
});

test("the login and the registration redirect people who are signed in", async () => {
  for (const path of ["/", "/register"]) {
    expect((await get(path, admin)).response.headers.get("location")).toBe("/admin");
    expect((await get(path, reseller)).response.headers.get("location")).toBe("/reseller");
  }
});

test("the login has its title, one h1, and no-store", async () => {
  const { response, html } = await get("/");
  expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect(html).toContain("<title>Sign in · Latchkey</title>");
  expect(html.match(/<h1/g)).toHaveLength(1);
  for (const text of ["Admin", "Reseller", "Login as Admin", "Register with Referral Token", "<noscript>"]) {
    expect(html).toContain(text);
  }
});

test("the messaging link is left out if none is configured", async () => {
  expect((await get("/")).html).not.toContain("Contact us");
  expect((await get("/", null, "https://chat.example/x")).html).toContain('href="https://chat.example/x"');
});

test("the registration is titled Reseller Registration, and password managers know its fields", async () => {
  const { html } = await get("/register");
  expect(html).toMatch(/<h1[^>]*>Reseller Registration<\/h1>/);
  for (const text of ["Register Account", "Back to Login", 'autoComplete="new-password"']) expect(html).toContain(text);
});

test("timers of queries do not keep sent pages in memory", async () => {
  jest.useFakeTimers();
  const timersAfter = async (path: string, viewer: Viewer) => {
    await get(path, viewer);
    return jest.getTimerCount();
  };
  const once = await timersAfter("/admin", admin);
  expect(await timersAfter("/admin", admin)).toBe(once);
  expect(await timersAfter("/reseller", reseller)).toBe(once);
  jest.useRealTimers();
});

test("the not-found page is a 404 with its two sentences", async () => {
  const response = await unknown("/nowhere");
  const html = await response.text();
  expect(response.status).toBe(404);
  expect(html).toMatch(/<h1[^>]*>404 Page Not Found<\/h1>/);
  expect(html).toContain("Did you forget to add the page to the router?");
});

test("any path in the other role's area redirects to the own home, whether there is such a page or not", async () => {
  for (const path of ["/reseller/nowhere", "/reseller/", "/reseller/keys/7/nothing?search=a"]) {
    const led = await unknown(path, admin);
    expect([path, led.status, led.headers.get("location")]).toEqual([path, 302, "/admin"]);
  }
  const led = await unknown("/admin/resellers/7", reseller);
  expect([led.status, led.headers.get("location")]).toEqual([302, "/reseller"]);
});

test("an unknown path is not found in one's own area, outside the areas, without a session, and for other methods than GET", async () => {
  const found = [
    await unknown("/admin/nowhere", admin),
    await unknown("/resellers", admin),
    await unknown("/reseller/nowhere", reseller),
    await unknown("/reseller/nowhere"),
    await unknown("/reseller/nowhere", admin, "POST"),
  ];
  expect(found.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
});

test("the policy allows scripts only with this response's nonce, and every inline script has it", async () => {
  const [first, second] = [await get("/"), await get("/")];
  const policy = first.response.headers.get("content-security-policy") ?? "";
  const nonce = policy.match(/script-src 'self' 'nonce-([^']+)'/)?.[1] ?? "";
  expect(nonce.length).toBeGreaterThanOrEqual(22);
  expect(second.response.headers.get("content-security-policy")).not.toContain(nonce);
  expect(policy).toStartWith("default-src 'none'; ");
  expect(policy).not.toMatch(/script-src[^;]*unsafe/);
  const running = [...first.html.matchAll(/<script(?![^>]*application\/json)[^>]*>/g)].map(([tag]) => tag);
  expect(running.length).toBeGreaterThan(1);
  for (const tag of running) expect(tag).toContain(`nonce="${nonce}"`);
});

test("a page loads its islands' scripts, and preloads their imports once", () => {
  const html = panel(({ island }) => island("probe", () => createElement("h1", null, "Probe"), {}));
  expect(html.match(/<script type="module"[^>]*src="([^"]+)"/g)).toHaveLength(2);
  expect(html.match(/rel="modulepreload" href="\/assets\/shared.js"/g)).toHaveLength(1);
});

test("an island that fails on the server is left to the browser, and the rest of the page is rendered", () => {
  const broken = () => {
    throw new Error("secret detail");
  };
  const html = panel(({ island }) => island("probe", broken, { some: "props" }));
  expect(html).toContain('<div data-island="probe" class="contents"></div>');
  expect(html).toContain("Manage Resellers");
  expect(html).not.toContain("secret detail");
});

test("an island's element ids begin with its name, so that no two islands share one", async () => {
  const { html } = await get("/");
  const ids = [...html.matchAll(/<input[^>]* id="([^"]+)"/g)].map(([, id]) => id);
  expect(ids.length).toBeGreaterThan(1);
  for (const id of ids) expect(id).toStartWith("_sign-in-");
});

test("a name that looks like markup stays a name", () => {
  const html = panel(({ island }) => island("probe", () => null, { name: reseller.username }), reseller);
  expect(html).not.toContain("</script><b>");
  expect(JSON.parse(jsonInHtml({ name: "</script>\u2028" }))).toEqual({ name: "</script>\u2028" });
});

test("the frame has its landmarks, a skip link and the person's name", () => {
  const html = panel(() => createElement("h1", null, "Overview"));
  for (const text of [
    "<header",
    "<main",
    "<aside",
    "<nav",
    "Skip to content",
    "margaret",
    "Administrator",
    "Loading...",
  ]) {
    expect(html).toContain(text);
  }
});

test("a form with a password cannot be sent before its script runs, and never puts it into an address", async () => {
  for (const [path, viewer] of [
    ["/", null],
    ["/register", null],
    ["/admin/account", admin],
  ] as const) {
    const { html } = await get(path, viewer);
    const forms = [...html.matchAll(/<form[\s\S]*?<\/form>/g)]
      .map(([form]) => form)
      .filter((form) => /type="password"/.test(form));
    expect([path, forms.length]).toEqual([path, 1]);
    expect(forms[0]).toMatch(/^<form[^>]* method="post"/);
    expect(forms[0]).toMatch(/<button[^>]* type="submit"[^>]* disabled=""|<button[^>]* disabled=""[^>]* type="submit"/);
  }
});

test("a page contains the username, and nothing of the session", async () => {
  const { html } = await get("/admin", admin);
  expect(html).toContain("margaret");
  expect(html).not.toContain(String(sessionId));
});

test("only its role sees a screen's page, and other roles see no part of it", async () => {
  const overview = panelPages["/admin"];
  const screen = overview.screen;
  overview.screen = () => createElement("h1", null, "Overview");
  try {
    expect((await get("/admin?a=b", null)).response.headers.get("location")).toBe("/#to=%2Fadmin%3Fa%3Db");
    const refused = await get("/admin", reseller);
    expect([refused.response.status, refused.response.headers.get("location"), refused.html]).toEqual([
      302,
      "/reseller",
      "",
    ]);
    expect((await get("/admin", admin)).response.status).toBe(200);
  } finally {
    overview.screen = screen;
  }
});

test("a missing key or order, or another account's, is a 404 inside the frame", async () => {
  const statuses = async (id: number) => {
    const requests = [
      get(`/admin/keys/${id}`, admin),
      get(`/admin/orders/${id}`, admin),
      get(`/reseller/keys/${id}`, reseller),
      get(`/reseller/orders/${id}`, reseller),
    ];
    const pages = await Promise.all(requests);
    expect(pages.every(({ html }) => html.includes("Skip to content"))).toBeTrue();
    return pages.map(({ response }) => response.status);
  };
  expect(await statuses(7)).toEqual([200, 200, 200, 200]);
  expect(await statuses(9)).toEqual([404, 404, 404, 404]);
});

/** The items that the sidebar and the bottom bar mark. */
function markedIn(html: string): string[] {
  const marked = new Set<string>();
  const note = (link: HTMLRewriterTypes.Element) => void marked.add(link.getAttribute("href") ?? "");
  new HTMLRewriter().on("nav a[aria-current]", { element: note }).transform(html);
  return [...marked];
}

test.each<[string, Viewer, string]>([
  ["/admin/resellers/2", admin, "/admin/resellers"],
  ["/admin/resellers/2/keys", admin, "/admin"],
  ["/admin/keys/7", admin, "/admin/create-keys"],
  ["/admin/keys/8", admin, "/admin/resellers"],
  ["/admin/orders/7", admin, "/admin/create-keys"],
  ["/admin/orders/8", admin, "/admin/resellers"],
  ["/reseller/keys/8", reseller, "/reseller/keys"],
  ["/reseller/orders", reseller, "/reseller/keys"],
  ["/reseller/orders/8", reseller, "/reseller/keys"],
  ["/reseller/credits", reseller, "/reseller"],
])("%s marks only one item of the navigation", async (path, viewer, item) => {
  expect(markedIn((await get(path, viewer)).html)).toEqual([item]);
});

test("a title names the order and the reseller", async () => {
  const titleOf = async (path: string, viewer: Viewer) =>
    (await get(path, viewer)).html.match(/<title>(.*?)<\/title>/)?.[1];
  expect(await titleOf("/admin/orders/7", admin)).toBe("Order 7 · Latchkey");
  expect(await titleOf("/reseller/orders/8", reseller)).toBe("Order 8 · Latchkey");
  expect(await titleOf("/admin/resellers/2", admin)).toBe("&lt;/script&gt;&lt;b&gt; · Latchkey");
  expect(await titleOf("/admin/resellers/3", admin)).toBe("Reseller · Latchkey");
});

test("the keys of a missing reseller are a 404 inside the frame", async () => {
  const known = await get("/admin/resellers/2/keys", admin);
  expect([known.response.status, known.html.includes("There is no such reseller.")]).toEqual([200, false]);
  const unknown = await get("/admin/resellers/3/keys", admin);
  expect([unknown.response.status, unknown.html.includes("There is no such reseller.")]).toEqual([404, true]);
  expect(unknown.html).toContain("Administrator");
});

test("every page has the panel's name, logo and support link, and none of them can break it", async () => {
  const brand = { name: 'Night <Owl> & "Sons"', logo: "/logo", supportLink: "https://example.com/?a=1&b=2" };
  const entrance = { area: "entrance", page: "/", lastRole: "admin", messagingLink: null } as const;
  const request: PanelRequest = {
    area: "panel",
    page: "/admin",
    search: "",
    owner: null,
    username: null,
    viewer: admin,
    language: "javascript",
    expiringKeys: 0,
    pauses: [],
    sharedKeys: 0,
    mayGuide: false,
    today: "1970-01-01",
  };
  const failure = createFailurePage(assets, brand)({ message: "It failed.", code: "FAULT" }, 500);
  const pages = [entrance, request, { area: "nowhere" } as const].map(
    (each) => renderPage(each, { assets, brand, slots }).html,
  );
  for (const html of [...pages, await failure.text()]) {
    expect(html).toContain("Night &lt;Owl&gt; &amp; &quot;Sons&quot;");
    expect(html).not.toContain("<Owl>");
    expect(html).not.toContain("Latchkey");
    expect(html).toContain('src="/logo"');
  }
  for (const html of pages.slice(0, 2)) expect(html).toContain('href="https://example.com/?a=1&amp;b=2"');
});

test("a reseller's overview comes with the places of the keys that expire soon", async () => {
  const { html } = await get("/reseller", reseller);
  expect(html.indexOf("Expiring in 3 days")).toBeGreaterThan(html.indexOf("Member Since"));
  expect(html.indexOf("Expiring in 3 days")).toBeLessThan(html.indexOf("Quick Actions"));
});

test("a page that staff has no right for responds 403 with a card, and names nothing of what is there", async () => {
  const staff: Viewer = { ...admin, rights: ["tokens:manage"] };
  const { response, html } = await get("/admin/resellers/2", staff);
  expect(response.status).toBe(403);
  expect(html).toContain("Your account cannot open this page.");
  expect(html).toContain('href="/admin"');
  expect(html.match(/<h1/g)).toHaveLength(1);
  expect(html).not.toContain("</script><b>");
  expect((await get("/admin/resellers/2", { ...staff, rights: ["credits:read"] })).response.status).toBe(200);
});

test("the islands of staff learn its rights from the page, and full accounts have none", async () => {
  const { html } = await get("/reseller", { ...reseller, rights: ["keys:read", "keys:manage"], owner: admin });
  expect(html).toContain('data-rights="keys:read keys:manage"');
  expect(html).toContain("/api/reseller/pauses");
  expect(html).not.toContain("/api/reseller/profile");
  expect((await get("/reseller", reseller)).html).not.toContain("data-rights");
});

test.each(["everything", "keys:read"] as const)("a page that needs %p is open to every full account", (need) => {
  expect([hasRight(null, need), hasRight(["keys:read"], need)]).toEqual([true, need === "keys:read"]);
});

test("every page that needs a right needs one that exists, and a link's filters do not matter", () => {
  const needs = Object.values(panelPaths).flatMap((each) => each ?? []);
  const known = [...adminScopes, "everything"] as string[];
  expect(needs.filter((need) => !known.includes(need))).toEqual([]);
  expect(mayOpen(["keys:read"], "/admin/keys/7#extend")).toBeTrue();
  expect(mayOpen(["keys:read"], "/admin/resellers/7/keys?order=3")).toBeTrue();
  expect(mayOpen(["keys:read"], "/admin/resellers?search=a")).toBeFalse();
  expect(mayOpen([], "/swagger")).toBeTrue();
});
