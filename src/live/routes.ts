import { Check } from "@sinclair/typebox/value";
import { Elysia } from "elysia";
import type { Access } from "../accounts/access.ts";
import { resellerIdOf } from "../accounts/schema.ts";
import { msPerSecond } from "../core/clock.ts";
import { failureResponse } from "../http/errors.ts";
import type { SecurityLog } from "../http/logging/security-log.ts";
import type { CreatePace } from "../http/rate-limit.ts";
import type { Clients } from "../http/request.ts";
import { type Live, LiveHello, type LivePage } from "./live.ts";

const route = "/ws";

/** A socket that has not sent its hello by then is closed. */
const helloWithinMs = 10_000;

/** A page sends one message. */
const messagesPerSecondMax = 10;

/** rules.md: Live socket. For one address: after a restart of the server an office reopens all its pages at once. */
const addressPace = { atOnce: 60, perSecond: 20 };

/** RFC 6455: policy violation. A socket without the right cookie learns nothing else. */
const policyViolation = 1008;
const unexpectedCondition = 1011;

interface Guest {
  page: LivePage;
  hasSentHello: boolean;
  helloTimer: ReturnType<typeof setTimeout>;
  secondBeganMs: number;
  messagesOfSecond: number;
}

interface Services {
  live: Live;
  access: Access;
  clients: Clients;
  securityLog: SecurityLog;
  monotonicMs: () => number;
  createPace: CreatePace;
}

/**
 * The live status channel (rules.md: Live socket): the cookie decides who is signed in, the message is only compared
 * with it.
 */
export function createLiveRoutes({ live, access, clients, securityLog, monotonicMs, createPace }: Services) {
  const pace = createPace(addressPace);
  const guests = new Map<string, Guest>();
  /**
   * Read before the upgrade. After it the socket's other end is unknown, which decides whether the cookie is that of
   * https.
   */
  const sessionSecrets = new WeakMap<Request, string | null>();

  return new Elysia({ name: "live" }).ws(route, {
    detail: { hide: true },
    // Not in `beforeHandle`, which Elysia calls twice for a socket.
    transform: async ({ request }) => {
      clients.refuseCrossSite(request);
      await pace(clients.addressOf(request));
      sessionSecrets.set(request, await access.sessionSecretIn(request));
    },
    open(ws) {
      const page: LivePage = {
        send: (notice) => ws.send(JSON.stringify(notice)),
        close: (code, reason) => ws.close(code, reason),
      };
      const helloTimer = setTimeout(() => ws.close(policyViolation, "No hello message arrived."), helloWithinMs);
      guests.set(ws.id, { page, hasSentHello: false, helloTimer, secondBeganMs: monotonicMs(), messagesOfSecond: 0 });
      live.opened(page);
    },
    async message(ws, message) {
      const guest = guests.get(ws.id);
      if (!guest) return;
      if (isTooMany(guest)) return ws.close(policyViolation, "Too many messages arrived.");
      if (guest.hasSentHello) return;
      guest.hasSentHello = true;
      clearTimeout(guest.helloTimer);
      const { request } = ws.data as unknown as { request: Request };
      try {
        const isJoined = await live.join(guest.page, () => ownerOf(message, request));
        if (isJoined) guest.page.send({ type: "auth_success" });
        else ws.close(policyViolation, "The message and the session do not match.");
      } catch (error) {
        failureResponse(error, { headers: {} }, { request, route, securityLog });
        ws.close(unexpectedCondition, "The session could not be checked.");
      }
    },
    close(ws) {
      const guest = guests.get(ws.id);
      guests.delete(ws.id);
      if (!guest) return;
      clearTimeout(guest.helloTimer);
      live.closed(guest.page);
    },
  });

  function isTooMany(guest: Guest): boolean {
    const nowMs = monotonicMs();
    if (nowMs - guest.secondBeganMs >= msPerSecond) {
      guest.secondBeganMs = nowMs;
      guest.messagesOfSecond = 0;
    }
    guest.messagesOfSecond += 1;
    return guest.messagesOfSecond > messagesPerSecondMax;
  }

  async function ownerOf(message: unknown, request: Request) {
    if (!Check(LiveHello, message)) return null;
    const viewer = await access.viewerBy(sessionSecrets.get(request) ?? null);
    if (viewer?.role !== "reseller" || resellerIdOf(viewer) !== message.resellerId) return null;
    return { resellerId: message.resellerId, accountId: viewer.id, sessionId: viewer.sessionId };
  }
}
