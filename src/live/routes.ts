import { Check } from "@sinclair/typebox/value";
import { Elysia } from "elysia";
import type { ElysiaWS } from "elysia/ws";
import type { Access } from "../accounts/access.ts";
import type { Viewer } from "../accounts/audited-changes.ts";
import { failureResponse } from "../http/errors.ts";
import type { SecurityLog } from "../http/logging/security-log.ts";
import type { Clients } from "../http/request.ts";
import type { Live, LivePage } from "./live.ts";
import { LiveHello, type LiveNotice } from "./schema.ts";

/** A socket that has not sent its hello by then is closed. */
const helloWithinMs = 10_000;

/** RFC 6455: policy violation. A socket without the right cookie learns nothing else. */
const policyViolation = 1008;

interface Guest {
  page: LivePage;
  isWelcome: boolean;
  helloTimer: ReturnType<typeof setTimeout>;
}

type Services = { live: Live; access: Access; clients: Clients; securityLog: SecurityLog };

/** The live status channel (rules.md: Live socket): the cookie decides who is signed in, the message is only compared with it. */
export function createLiveRoutes({ live, access, clients, securityLog }: Services) {
  const guests = new Map<string, Guest>();
  /** Read before the upgrade. After it the socket's other end is unknown, which decides whether the cookie is that of https. */
  const sessionSecrets = new WeakMap<Request, string | null>();

  return new Elysia({ name: "live" }).ws("/ws", {
    detail: { hide: true },
    beforeHandle: async ({ request, set }) => {
      try {
        clients.refuseCrossSite(request);
        sessionSecrets.set(request, await access.sessionSecretIn(request));
      } catch (error) {
        const failure = failureResponse(error, set, { request, route: "/ws", securityLog });
        return new Response(JSON.stringify(failure), {
          status: 403,
          headers: { "content-type": "application/json" },
        });
      }
    },
    open(ws) {
      const page: LivePage = {
        send: (notice) => ws.send(JSON.stringify(notice)),
        close: (code, reason) => ws.close(code, reason),
      };
      const helloTimer = setTimeout(() => ws.close(policyViolation, "No hello came."), helloWithinMs);
      guests.set(ws.id, { page, isWelcome: false, helloTimer });
      live.opened(page);
    },
    async message(ws, message) {
      const guest = guests.get(ws.id);
      if (!guest) return;
      clearTimeout(guest.helloTimer);
      const reseller = await resellerOf(message, ws);
      if (!reseller) return refuse(ws);
      // The socket may have closed, or sent a second hello, while the session was looked up.
      if (guests.get(ws.id) !== guest) return;
      if (!guest.isWelcome) {
        guest.isWelcome = true;
        live.join(guest.page, { resellerId: reseller.id, sessionId: reseller.sessionId });
        // The session may have ended while it was looked up, before the page had joined.
        if (!(await resellerOf(message, ws))) return refuse(ws);
      }
      guest.page.send({ type: "auth_success" } satisfies LiveNotice);
    },
    close(ws) {
      const guest = guests.get(ws.id);
      guests.delete(ws.id);
      if (!guest) return;
      clearTimeout(guest.helloTimer);
      live.closed(guest.page);
    },
  });

  async function resellerOf(message: unknown, ws: Pick<ElysiaWS, "data">): Promise<Viewer | null> {
    if (!Check(LiveHello, message)) return null;
    const { request } = ws.data as unknown as { request: Request };
    const viewer = await access.viewerBy(sessionSecrets.get(request) ?? null);
    return viewer?.role === "reseller" && viewer.id === message.resellerId ? viewer : null;
  }
}

function refuse(ws: { close(code: number, reason: string): unknown }): void {
  ws.close(policyViolation, "The message and the session do not agree.");
}
