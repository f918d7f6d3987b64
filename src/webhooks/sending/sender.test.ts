import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { createSender, type SentEvent, type Target } from "./sender.ts";

/** Like `whsec_…` of an endpoint: the prefix and 32 bytes in base64. */
const secrets = ["a", "b", "c"].map((letter) => `whsec_${btoa(letter.repeat(32))}`);

const event: SentEvent = {
  ...{ id: "msg_1", at: Date.parse("2026-11-27T15:00:00.123Z"), type: "credits.low" },
  data: { resellerId: 3, username: "night.owl", balance: 12.5 },
};

/** The receiver, and Telegram's bot API. */
let receiver: Bun.Server<undefined>;
let requests: { path: string; headers: Record<string, string>; body: string }[];
let response: () => Response;
let nowMs: number;

beforeEach(() => {
  requests = [];
  response = () => new Response(null, { status: 204 });
  nowMs = Date.now();
  receiver = Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1" },
    async fetch(request) {
      const { pathname: path, search } = new URL(request.url);
      requests.push({ path: path + search, headers: request.headers.toJSON(), body: await request.text() });
      return response();
    },
  });
});
afterEach(() => receiver.stop(true));

function send(target: Target, sent = event) {
  const telegramApi = `http://127.0.0.1:${receiver.port}`;
  return createSender({ allowPrivate: true, telegramApi, wallClock: () => nowMs, monotonicMs: () => 0 }).send({
    target,
    event: sent,
  });
}

const url = () => `http://127.0.0.1:${receiver.port}/hook?a=b`;
const standard = (own = secrets): Target => ({ kind: "standard", url: url(), secrets: own });
const discord = (): Target => ({ kind: "discord", url: url() });
const botToken = "123456:AAbb-cc_dd";
const telegram: Target = { kind: "telegram", botToken, chatId: "-100123" };

describe("Standard Webhooks", () => {
  test("the official library verifies the signature with each of the secrets, and with no other", async () => {
    expect(await send(standard(secrets.slice(0, 2)))).toEqual({ status: 204, ms: 0, answer: "", retryAfterMs: null });
    const { path, headers, body } = requests[0] as (typeof requests)[0];
    expect(path).toBe("/hook?a=b");
    const verified = {
      type: "credits.low",
      timestamp: "2026-11-27T15:00:00.123Z",
      data: { resellerId: 3, username: "night.owl", balance: 12.5 },
    };
    for (const secret of secrets.slice(0, 2)) expect(new Webhook(secret).verify(body, headers)).toEqual(verified);
    expect(() => new Webhook(secrets[2] as string).verify(body, headers)).toThrow("No matching signature found");
    expect(() => new Webhook(secrets[0] as string).verify(`${body} `, headers)).toThrow("No matching signature found");
  });

  test("a later attempt has the same id and body, and its own time", async () => {
    await send(standard());
    nowMs += 3_600_000;
    await send(standard());
    const [first, second] = requests;
    expect(second?.body).toBe(first?.body as string);
    expect(second?.headers["webhook-id"]).toBe("msg_1");
    expect(second?.headers["webhook-timestamp"]).toBe(String(Math.floor(nowMs / 1_000)));
    expect(second?.headers["webhook-signature"]).not.toBe(first?.headers["webhook-signature"] as string);
  });
});

describe("Discord", () => {
  test("gets a sentence that mentions no one", async () => {
    expect((await send(discord())).status).toBe(204);
    expect(JSON.parse(requests[0]?.body ?? "")).toEqual({
      content: "night.owl has only 12.5 credits left.",
      allowed_mentions: { parse: [] },
    });
  });

  test("reads a name as plain text", async () => {
    const data = { key: "A_B_C", deviceId: "1", deviceName: "**a** [x](https://y.example) <@1> `b` ||c|| ~~d~~ > # -" };
    await send(discord(), { ...event, type: "device.connected", data });
    expect(JSON.parse(requests[0]?.body ?? "").content).toBe(
      "Key …A\\_B\\_C was connected to device “\\*\\*a\\*\\* \\[x\\]\\(https\\://y.example\\) \\<＠1\\> \\`b\\` \\|\\|c\\|\\| \\~\\~d\\~\\~ \\> \\# \\-”.",
    );
  });

  test("its 429 says how long to wait", async () => {
    const body = { message: "You are being rate limited.", retry_after: 64.57, global: false };
    response = () =>
      Response.json(body, { status: 429, headers: { "retry-after": "65", "x-ratelimit-scope": "user" } });
    expect(await send(discord())).toEqual({
      ...{ status: 429, ms: 0, retryAfterMs: 64_570 },
      answer: JSON.stringify(body),
    });
  });

  test("a removed webhook is a 404", async () => {
    response = () => Response.json({ message: "Unknown Webhook", code: 10015 }, { status: 404 });
    expect(await send(discord())).toMatchObject({ status: 404, retryAfterMs: null });
  });
});

describe("Telegram", () => {
  test("gets a sentence without a parse mode", async () => {
    response = () =>
      Response.json({ ok: true, result: { message_id: 5, date: 0, chat: { id: -100123, type: "group" } } });
    expect((await send(telegram)).status).toBe(200);
    expect(requests[0]?.path).toBe(`/bot${botToken}/sendMessage`);
    expect(JSON.parse(requests[0]?.body ?? "")).toEqual({
      chat_id: "-100123",
      text: "night.owl has only 12.5 credits left.",
      link_preview_options: { is_disabled: true },
    });
  });

  test("its 429 says how long to wait", async () => {
    const description = "Too Many Requests: retry after 35";
    response = () =>
      Response.json({ ok: false, error_code: 429, description, parameters: { retry_after: 35 } }, { status: 429 });
    expect(await send(telegram)).toMatchObject({ status: 429, retryAfterMs: 35_000 });
  });

  test("a group that became a supergroup has a new chat", async () => {
    const moved = (parameters: unknown, status = 400) => {
      response = () => Response.json({ ok: false, error_code: status, parameters }, { status });
      return send(telegram);
    };
    expect((await moved({ migrate_to_chat_id: -1001234567890 })).movedTo).toBe("-1001234567890");
    expect((await moved({ migrate_to_chat_id: -1001234567890 }, 403)).movedTo).toBeNull();
    for (const wrong of [{ migrate_to_chat_id: "1" }, { migrate_to_chat_id: 1.5 }, null, []])
      expect((await moved(wrong)).movedTo).toBeNull();
  });

  test("what is kept of a response has no bot token", async () => {
    response = () => new Response(`No /bot${botToken}/sendMessage here`, { status: 404 });
    expect(await send(telegram)).toMatchObject({ status: 404, answer: "No /bot…/sendMessage here" });
    await receiver.stop(true);
    expect(await send(telegram)).toMatchObject({ status: null, answer: "The connection failed: ECONNREFUSED." });
  });
});

describe("Retry-After", () => {
  const after = async (header: string, target = standard(), body = "") => {
    response = () => new Response(body, { status: 503, headers: { "retry-after": header } });
    return (await send(target)).retryAfterMs;
  };

  test("is seconds or a date, and at most a day", async () => {
    expect(await after("120")).toBe(120_000);
    expect(await after("0")).toBe(0);
    nowMs = Date.parse("2026-11-27T15:00:00Z");
    expect(await after("Fri, 27 Nov 2026 15:01:30 GMT")).toBe(90_000);
    expect(await after("Fri, 27 Nov 2026 14:00:00 GMT")).toBe(0);
    for (const far of ["99999999999999999999", "Fri, 27 Nov 2099 15:00:00 GMT"])
      expect(await after(far)).toBe(86_400_000);
    for (const wrong of ["soon", ""]) expect(await after(wrong)).toBeNull();
  });

  test("a body is only read for it from Discord and Telegram, and only where it has one", async () => {
    expect(await after("120", standard(), '{"retry_after":1}')).toBe(120_000);
    expect(await after("120", discord(), '{"retry_after":1e400}')).toBe(86_400_000);
    for (const body of ["", "null", "[]", "{}", '{"retry_after":"soon"}', '{"parameters":null}'])
      expect(await after("120", discord(), body)).toBe(120_000);
  });
});

test("of a response one short line without invisible characters is kept", async () => {
  response = () => new Response(`\u001b[31mred\u0000\r\n\u202etxt ${"x".repeat(1_000)}`, { status: 500 });
  const { answer } = await send(standard());
  expect(answer).toStartWith(" [31mred txt xxx");
  expect(answer).toHaveLength(501);
  response = () => new Response(new Uint8Array([0xff, 0xfe, 0x41]), { status: 500 });
  expect((await send(standard())).answer).toBe("\uFFFD\uFFFDA");
});
