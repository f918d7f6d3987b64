import { afterEach, beforeEach, expect, test } from "bun:test";
import { Elysia } from "elysia";
import { createLatePart, type LatePart, type Served } from "./late-part.ts";
import { servedBy } from "./served.ts";

let loads: number;
let letIn: () => void;
let late: LatePart<{ served: Served; name: string }>;

const atOnce = () => new Response("at once");
const passedOn = (request: Request) => late.fetch(request);
const listen = () => late.listen({ port: 0, hostname: "127.0.0.1" });

beforeEach(() => {
  loads = 0;
  const { promise: isLetIn, resolve } = Promise.withResolvers<void>();
  letIn = resolve;
  late = createLatePart({
    socket: { maxPayloadLength: 1_024, idleTimeout: 120 },
    direct: { "/direct": { POST: atOnce }, "/passed/:on": { GET: passedOn } },
    async load() {
      loads += 1;
      await isLetIn;
      const app = new Elysia({ strictPath: true })
        .get("/direct", () => "by Elysia")
        .get("/passed/:on", ({ params }) => params.on)
        .get("/people", ({ request, server }) => `late, for ${server?.requestIP(request)?.address}`)
        .get("/people/*", ({ params }) => params["*"])
        .get("/maybe/:name?", ({ params }) => params.name ?? "nobody")
        .ws("/ws", { open: (ws) => void ws.send("hello") });
      return { served: servedBy(app), name: "the panel" };
    },
  });
  listen();
});

afterEach(async () => {
  await late.server()?.stop(true);
});

const addressOf = (path: string, protocol = "http") => `${protocol}://127.0.0.1:${late.server()?.port}${path}`;
const textOf = async (path: string, method = "GET") => (await fetch(addressOf(path), { method })).text();
const here = "late, for 127.0.0.1";

test("what is direct is answered before the rest is there, and loads nothing", async () => {
  expect(await textOf("/direct", "POST")).toBe("at once");
  expect(loads).toBe(0);
  expect(late.begun()).toBeNull();
});

test("whoever asks for the rest waits for it, and it is loaded once", async () => {
  const asked = ["/people", "/people", "/nowhere", "/passed/on", "/direct"].map((path) => textOf(path));
  expect(await textOf("/direct", "POST")).toBe("at once");
  letIn();
  expect(await Promise.all(asked)).toEqual([here, here, "NOT_FOUND", "on", "by Elysia"]);
  expect(loads).toBe(1);
});

test("a socket waits for it too, and is heard by it", async () => {
  const socket = new WebSocket(addressOf("/ws", "ws"));
  const heard = new Promise((resolve, reject) => {
    socket.onmessage = ({ data }) => resolve(data);
    socket.onerror = reject;
  });
  while (loads === 0) await Bun.sleep(1);
  letIn();
  expect(await heard).toBe("hello");
  socket.close();
});

test("once it is in, it is asked behind what is direct, and by Bun's own router", async () => {
  letIn();
  expect((await late.load()).name).toBe("the panel");
  expect(await late.begun()).toBe(await late.load());
  expect(await textOf("/people")).toBe(here);
  expect(await textOf("/people/of/old")).toBe("of/old");
  expect([await textOf("/maybe/me"), await textOf("/maybe")]).toEqual(["me", "nobody"]);
  expect(await textOf("/people", "DELETE")).toBe("NOT_FOUND");
  expect(await textOf("/direct", "POST")).toBe("at once");
  expect(await textOf("/direct")).toBe("by Elysia");
  const head = await fetch(addressOf("/people"), { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
});

test("a server that goes on in the place of another has it at once", async () => {
  letIn();
  await late.load();
  await late.server()?.stop(true);
  listen();
  expect(await textOf("/people")).toBe(here);
  expect(await textOf("/direct", "POST")).toBe("at once");
  expect(loads).toBe(1);
});
