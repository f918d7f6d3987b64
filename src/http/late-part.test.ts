import { afterEach, beforeEach, expect, test } from "bun:test";
import { type AnyElysia, Elysia } from "elysia";
import { createLatePart, type LatePart } from "./late-part.ts";

let loads: number;
let letIn: () => void;
let app: Elysia;
let late: LatePart<{ plugin: (whole: AnyElysia) => AnyElysia; name: string }>;

const atOnce = () => new Response("at once");
const passedOn = (request: Request) => late.fetch(request);

beforeEach(() => {
  loads = 0;
  const { promise: isLetIn, resolve } = Promise.withResolvers<void>();
  letIn = resolve;
  late = createLatePart({
    direct: { "/direct": { POST: atOnce }, "/passed/:on": { GET: passedOn } },
    async load() {
      loads += 1;
      await isLetIn;
      const plugin = (whole: AnyElysia) =>
        whole
          .get("/direct", () => "by Elysia")
          .get("/passed/:on", ({ params }) => params.on)
          .get("/people", () => "late")
          .ws("/ws", { open: (ws: { send: (text: string) => unknown }) => void ws.send("hello") });
      return { plugin, name: "the panel" };
    },
    app: () => app,
  });
  app = new Elysia({ strictPath: true, serve: late.serve });
  app.use(late.arrived);
  app.listen({ port: 0, hostname: "127.0.0.1" });
});

afterEach(async () => {
  await app.stop(true);
});

const addressOf = (path: string, protocol = "http") => `${protocol}://127.0.0.1:${app.server?.port}${path}`;
const textOf = async (path: string, method = "GET") => (await fetch(addressOf(path), { method })).text();

test("what is direct is answered before the rest is there, and loads nothing", async () => {
  expect(await textOf("/direct", "POST")).toBe("at once");
  expect(loads).toBe(0);
  expect(late.begun()).toBeNull();
});

test("whoever asks for the rest waits for it, and it is loaded once", async () => {
  const asked = ["/people", "/people", "/nowhere", "/passed/on", "/direct"].map((path) => textOf(path));
  const socket = new WebSocket(addressOf("/ws", "ws"));
  const greeted = new Promise((resolve) => socket.addEventListener("message", ({ data }) => resolve(data)));
  expect(await textOf("/direct", "POST")).toBe("at once");
  letIn();
  expect(await Promise.all(asked)).toEqual(["late", "late", "NOT_FOUND", "on", "by Elysia"]);
  expect(await greeted).toBe("hello");
  socket.close();
  expect(loads).toBe(1);
});

test("once it is in, Bun's own router knows its routes, and what is direct stays so", async () => {
  letIn();
  expect((await late.load()).name).toBe("the panel");
  expect(await late.begun()).toBe(await late.load());
  expect(late.serve.routes).not.toContainKey("/*");
  expect(await textOf("/people")).toBe("late");
  expect(await textOf("/people", "DELETE")).toBe("NOT_FOUND");
  expect(await textOf("/direct", "POST")).toBe("at once");
  expect(await textOf("/direct")).toBe("by Elysia");
});
